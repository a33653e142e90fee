/// Problems found in one pass over many things: collected, sorted and shown together.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace vmatrix::base {

/// A place in a file. Lines and columns count from 1, columns in characters; 0 is "the whole file".
struct Position {
    std::string file;
    std::size_t line = 0;
    std::size_t column = 0;

    auto operator<=>(const Position&) const = default;
    bool operator==(const Position&) const = default;
};

/// "file:line:column", or "file" for the whole file.
[[nodiscard]] std::string to_string(const Position& position);

enum class Severity { error, warning };

struct Finding {
    Severity severity = Severity::error;
    std::string code;      ///< stable, "unknown-field"
    std::string message;   ///< what is wrong and what was expected
    Position at;
    std::string hint;      ///< what to do; may be empty
};

/// A sink that many passes write into. Keeps the first `max_kept` and counts the rest.
class Findings {
public:
    static constexpr std::size_t max_kept = 10'000;

    void error(std::string code, Position at, std::string message, std::string hint = {});
    void warning(std::string code, Position at, std::string message, std::string hint = {});

    /// Those of another sink too.
    void add(const Findings& others);

    /// In order of file, line and column.
    [[nodiscard]] std::vector<Finding> sorted() const;
    [[nodiscard]] std::size_t errors() const { return errors_; }
    [[nodiscard]] std::size_t warnings() const { return warnings_; }
    [[nodiscard]] bool empty() const { return all_.empty(); }

private:
    void keep(Finding finding);

    std::vector<Finding> all_;
    std::size_t errors_ = 0, warnings_ = 0;
};

}  // namespace vmatrix::base
