/// Private to the layer: lines of a requirements file, wherever they stand.
#pragma once

#include <string>
#include <string_view>

#include "inputs/collector.hpp"

namespace vmatrix::inputs {

/// "--index-url", "--extra-index-url" and their short forms.
[[nodiscard]] bool names_index(std::string_view option);

/// Takes lines one after the other. An index that tells the builds tells it of all lines, also of those before it.
class PipLines {
public:
    explicit PipLines(Collector& found) : found_(found), first_(found.wishes()) {}

    /// A line without its comment.
    [[nodiscard]] base::Result<void> add(std::string_view line, const base::Position& at);
    void finish() { found_.label(first_, label_); }

private:
    void add_option(std::string_view line, const base::Position& at);
    void add_index(std::string_view address, const base::Position& at);
    void add_path(std::string_view line, const base::Position& at);

    Collector& found_;
    std::size_t first_;   ///< wish of these lines
    std::string label_;
};

}  // namespace vmatrix::inputs
