/// What keeps a text on its line, in every format for people.
#pragma once

#include <string>

namespace vmatrix::report {

/// Control characters would let a text pretend to be another line, or steer the terminal.
[[nodiscard]] inline std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return text;
}

}  // namespace vmatrix::report
