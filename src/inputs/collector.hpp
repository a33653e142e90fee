/// Private to the layer: what a reader has found so far.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "inputs/inputs.hpp"

namespace vmatrix::inputs {

/// An error of this kind of file, with its place in front.
[[nodiscard]] tl::unexpected<base::Error> wrong(const base::Position& at, const std::string& message, std::string hint = {});

class Collector {
public:
    Collector(std::string file, std::optional<std::string> python) : file_(std::move(file)), python_(std::move(python)) {}

    /// Lines and columns from 1.
    [[nodiscard]] base::Position at(std::size_t line, std::size_t column) const { return {file_, line, column}; }

    /// A requirement as pip has it, its text with extras, markers and addresses.
    [[nodiscard]] base::Result<void> require(std::string_view text, const base::Position& at, const std::string& label = {});
    /// A name with a set of versions that PEP 440 can read; `python` is the Python.
    [[nodiscard]] base::Result<void> wish(const std::string& name, const std::string& versions, const base::Position& at, const std::string& label = {});
    /// A package as conda has it, `name=1.2=build`; what is none is noted.
    [[nodiscard]] base::Result<void> require_conda(std::string_view text, const base::Position& at);
    /// Forgets the wishes for a package; false where there are none.
    bool drop(std::string_view name);
    [[nodiscard]] base::Result<void> python(const std::string& versions, const base::Position& at);
    void image(std::string reference, const base::Position& at) { found_.image = {std::move(reference), at}; }
    /// The same text is noted once.
    void note(const base::Position& at, std::string text);

    [[nodiscard]] std::size_t wishes() const { return found_.specs.size(); }
    /// Gives the wishes from the `first` on this label, where they have none.
    void label(std::size_t first, const std::string& label);
    [[nodiscard]] Inputs take() { return std::move(found_); }

private:
    std::string file_;
    std::optional<std::string> python_;
    Inputs found_;
    std::set<std::string> noted_;
};

}  // namespace vmatrix::inputs
