#include "version/cursor.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace vmatrix::version {
namespace {

/// The character at `at` with the rest of its UTF-8 sequence, for a message.
std::string_view character(std::string_view text, std::size_t at) {
    std::size_t length = 1;
    while (length < 4 && at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80) ++length;
    return text.substr(at, length);
}

}  // namespace

base::Error to_error(std::string_view text, std::string_view what, Unexpected wrong) {
    std::string message = "`" + base::printable(text) + "` is not " + std::string(what) + ": expected " + wrong.expected;
    message += " at character " + std::to_string(base::characters(text.substr(0, wrong.at)) + 1);
    message += wrong.at < text.size() ? ", found `" + base::printable(character(text, wrong.at)) + "`" : ", found the end";
    return base::Error{std::move(message), std::move(wrong.hint)};
}

bool Cursor::eat(std::string_view word) {
    if (word.size() > text_.size() - at_) return false;
    const auto same = [](char c, char lower) { return c == lower || (is_letter(c) && (c | 0x20) == lower); };
    if (!std::ranges::equal(text_.substr(at_, word.size()), word, same)) return false;
    at_ += word.size();
    return true;
}

bool Cursor::eat_any(std::string_view characters) {
    if (done() || characters.find(text_[at_]) == std::string_view::npos) return false;
    ++at_;
    return true;
}

std::string_view Cursor::digits() {
    const std::size_t start = at_;
    while (is_digit(peek())) ++at_;
    return text_.substr(start, at_ - start);
}

std::string_view Cursor::alphanumerics() {
    const std::size_t start = at_;
    while (is_digit(peek()) || is_letter(peek())) ++at_;
    return text_.substr(start, at_ - start);
}

}  // namespace vmatrix::version
