/// Private to the layer: PEP 440 versions, their parts and their keys.
/// Source of the rules: https://peps.python.org/pep-0440/, the sections named below.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "version/cursor.hpp"
#include "version/key.hpp"

namespace vmatrix::version::pep440 {

using key::Number;

enum class Phase : char { alpha = 'a', beta = 'b', candidate = 'r' };

struct Pre {
    Phase phase = Phase::alpha;
    Number number;
};

/// One part of a local label: a number, or text with at least one letter.
struct Segment {
    std::string text;
    bool numeric = false;
};

struct Parts {
    Number epoch = "0";
    std::vector<Number> release;
    std::optional<Pre> pre = {};
    std::optional<Number> post = {};
    std::optional<Number> dev = {};
    std::vector<Segment> local = {};

    [[nodiscard]] bool is_prerelease() const { return pre.has_value() || dev.has_value(); }
};

/// Every spelling of "Normalization" and "Appendix B", blanks around it included.
[[nodiscard]] Parsed<Parts> parse(std::string_view text);
/// The normal form. Trailing zeros of the release stay.
[[nodiscard]] std::string format(const Parts& version);
/// "cu128".
[[nodiscard]] std::string format_local(const std::vector<Segment>& local);

// The key ("Summary of permitted suffixes and relative ordering", "Local version identifiers") has six parts:
//   epoch    a number
//   release  numbers, end mark (key.hpp)
//   pre      dev release of a final release < a < b < rc < none, with a number behind a, b and rc
//   post     none < number
//   dev      number < none
//   local    segments, text < number, then an end mark that is below any segment

[[nodiscard]] std::string to_key(const Parts& version);
[[nodiscard]] Parts from_key(std::string_view key);

// Prefixes of a key: the parts before the one that each is named for.
[[nodiscard]] std::string key_up_to_release(const Parts& version);
[[nodiscard]] std::string key_up_to_post(const Parts& version);
[[nodiscard]] std::string key_up_to_local(const Parts& version);

// The other way round: each takes parts off the front of a key.
void take_pre(std::string_view& key, Parts& version);
void take_post(std::string_view& key, Parts& version);
void take_dev(std::string_view& key, Parts& version);
void take_local(std::string_view& key, Parts& version);

}  // namespace vmatrix::version::pep440
