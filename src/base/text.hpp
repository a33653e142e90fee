/// Small text helpers that every layer may use.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vmatrix::base {

[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
/// ASCII only; other bytes stay as they are.
[[nodiscard]] std::string lower(std::string_view text);

/// Number of characters (code points) in UTF-8 text.
[[nodiscard]] std::size_t characters(std::string_view utf8);
/// Offset of the first byte that is not well-formed UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);
/// Text with control characters made visible, cut to at most `limit` characters: for messages that quote input.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 80);

/// Damerau-Levenshtein distance (optimal string alignment) over bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
/// The candidates closest to `text`, nearest first, at most `limit`, none further than a third of its length.
[[nodiscard]] std::vector<std::string> nearest(std::string_view text, std::span<const std::string_view> candidates, std::size_t limit = 1);

/// "a rule", "an override"
[[nodiscard]] std::string with_article(std::string_view noun);

/// "did you mean `a`?", "did you mean `a`, `b` or `c`?", or nothing for no names.
[[nodiscard]] std::string did_you_mean(std::span<const std::string> names);

}  // namespace vmatrix::base
