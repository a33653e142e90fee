/// Private to the layer: reading text from left to right, and saying where it went wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace vmatrix::version {

/// Longest version and longest version set that is read, in bytes.
inline constexpr std::size_t max_text = 4096;

/// What a reader met: at offset `at` it wanted `expected`.
struct Unexpected {
    std::size_t at = 0;
    std::string expected;
    std::string hint = {};
};

template <class T>
using Parsed = tl::expected<T, Unexpected>;

/// "`1.x` is not a dotted version: expected a digit at character 3, found `x`".
[[nodiscard]] base::Error to_error(std::string_view text, std::string_view what, Unexpected wrong);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}

    [[nodiscard]] bool done() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t at() const { return at_; }
    /// The character `ahead` places further on, or '\0' behind the end.
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
    [[nodiscard]] tl::unexpected<Unexpected> expected(std::string what, std::string hint = {}) const {
        return tl::make_unexpected(Unexpected{at_, std::move(what), std::move(hint)});
    }

    void skip(std::size_t count = 1) { at_ += count; }
    void skip_blanks() {
        while (!done() && is_blank(text_[at_])) ++at_;
    }
    /// Takes `word` if it comes next; ASCII letters match in either case. `word` is lower-case.
    bool eat(std::string_view word);
    /// Takes the next character if it is one of `characters`.
    bool eat_any(std::string_view characters);
    /// Takes the longest run of digits; empty if there is none.
    std::string_view digits();
    /// Takes the longest run of ASCII letters and digits.
    std::string_view alphanumerics();

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace vmatrix::version
