#include "version/opaque.hpp"

namespace vmatrix::version::opaque {

Parsed<void> check(std::string_view text) {
    Cursor in(text);
    while (in.peek() > ' ' && in.peek() <= '~') in.skip();
    if (in.done() && !text.empty()) return {};
    return in.expected("a visible ASCII character");
}

std::string to_key(std::string_view text) {
    return std::string(text) + '\0';
}

std::string from_key(std::string_view key) {
    return std::string(key.substr(0, key.find('\0')));
}

}  // namespace vmatrix::version::opaque
