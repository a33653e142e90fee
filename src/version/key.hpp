/// Private to the layer: the comparison key. A key is a byte string, and the order of keys as bytes is the order of
/// their versions; equal versions have equal keys. So comparing needs no parsing, a place between versions is a byte
/// string too (cut.hpp), and an index can sort versions without knowing any scheme.
///
/// A number is a length mark and its digits without leading zeros, so that a longer number is a greater one.
/// A release is its numbers without trailing zeros, then `end_of_release`: 1.0 and 1 have one key, and 1.7 comes
/// before 1.7.1 because the end mark is below every length mark.
/// No key is a prefix of another, and no key has the byte `after_all` where a part begins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vmatrix::version::key {

inline constexpr char end_of_release = '\x00';
inline constexpr char after_all = '\xFF';

/// A number as its decimal digits, of any length, without leading zeros.
using Number = std::string;

[[nodiscard]] Number number(std::string_view digits);
[[nodiscard]] Number increment(Number number);
/// `number` must not be "0".
[[nodiscard]] Number decrement(Number number);

[[nodiscard]] std::span<const Number> without_trailing_zeros(std::span<const Number> numbers);
/// "1.7.0".
[[nodiscard]] std::string join(std::span<const Number> numbers);

void append_number(std::string& key, std::string_view number);
/// All numbers given, and no end mark: a prefix of the keys of a series of releases.
void append_prefix(std::string& key, std::span<const Number> numbers);
/// The numbers without trailing zeros, and the end mark.
void append_release(std::string& key, std::span<const Number> numbers);

/// Takes a number off the front of `key`, which must start with one.
[[nodiscard]] Number take_number(std::string_view& key);
/// Takes numbers off the front of `key` up to `end_of_release` or `after_all`, which stays.
[[nodiscard]] std::vector<Number> take_numbers(std::string_view& key);

}  // namespace vmatrix::version::key
