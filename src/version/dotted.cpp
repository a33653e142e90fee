#include "version/dotted.hpp"

namespace vmatrix::version::dotted {
namespace {

constexpr std::string_view separators = ".-_";

bool is_separator(char c) { return separators.find(c) != std::string_view::npos && c != '\0'; }

void skip_flavour(Cursor& in) {
    while (is_letter(in.peek()) || is_digit(in.peek()) || is_separator(in.peek()) || in.peek() == '+' || in.peek() == '~') in.skip();
}

/// What stands between the numbers and the end.
Parsed<void> read_flavour(Cursor& in, bool has_revision) {
    if (in.done()) return {};
    const bool series = in.peek() == '.' && (in.peek(1) == 'x' || in.peek(1) == 'X' || in.peek(1) == '*');
    const bool at_once = has_revision && is_letter(in.peek());
    if (!at_once && !in.eat_any("+~")) {
        if (!in.eat_any(separators)) return in.expected("`.`, `-`, `_`, `+` or the end");
        if (series) return in.expected("a digit", "a whole series is a version set, `==12.*`");
        if (!is_letter(in.peek())) return in.expected("a digit or a letter");
    }
    skip_flavour(in);
    if (!in.done()) return in.expected("letters, digits, `.`, `-`, `_`, `+`, `~` or the end");
    return {};
}

}  // namespace

Parsed<Parts> parse(std::string_view text) {
    Cursor in(text);
    Parts version;
    bool has_revision = false;
    do {
        const std::string_view digits = in.digits();
        if (digits.empty()) return in.expected("a digit");
        version.numbers.push_back(key::number(digits));
        if (!is_separator(in.peek()) || !is_digit(in.peek(1))) break;
        has_revision = has_revision || in.peek() == '-';
        in.skip();
    } while (true);
    version.written = text.substr(0, in.at());
    if (auto flavour = read_flavour(in, has_revision); !flavour) return tl::make_unexpected(flavour.error());
    return version;
}

std::string to_key(const std::vector<key::Number>& numbers) {
    std::string key;
    key::append_release(key, numbers);
    return key;
}

}  // namespace vmatrix::version::dotted
