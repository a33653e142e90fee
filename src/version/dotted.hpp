/// Private to the layer: dotted versions, numbers with a flavour behind them.
///
/// Numbers are separated by one of `. - _`. The flavour does not count and is
///   - one of `. - _` and a letter, or one of `+ ~`: "-generic", ".el9_2.x86_64", "+deb12u9", "+";
///   - behind a `-` among the numbers (a package revision) also a letter at once: "570.124.06-0ubuntu1";
///   - then letters, digits and `. - _ + ~`.
/// Elsewhere a letter right behind a digit is refused: "12.4u1" is another version than 12.4.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "version/cursor.hpp"
#include "version/key.hpp"

namespace vmatrix::version::dotted {

struct Parts {
    std::vector<key::Number> numbers;
    std::string_view written;   ///< the numbers as they stand in the text, "535.104.05"
};

[[nodiscard]] Parsed<Parts> parse(std::string_view text);
/// The numbers without trailing zeros, and an end mark.
[[nodiscard]] std::string to_key(const std::vector<key::Number>& numbers);

}  // namespace vmatrix::version::dotted
