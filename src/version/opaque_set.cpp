// The clauses of opaque versions: equal and not equal. Sets are finite or have a finite complement. The gaps between the
// members that are named may be without any version ("a" and "a!" are next to each other), but every set has all gaps
// or none, so that equality and emptiness hold all the same.

#include <utility>

#include "version/key.hpp"
#include "version/notation.hpp"
#include "version/opaque.hpp"

namespace vmatrix::version::opaque {
namespace {

constexpr std::string_view escaped = "\\,|*=<>!~";

/// Takes the backslashes away. A bare star is refused: it would be read as a wildcard, which opaque versions lack.
Parsed<std::string> unescape(std::string_view operand) {
    std::string text;
    for (std::size_t i = 0; i < operand.size(); ++i) {
        if (operand[i] == '*') return tl::make_unexpected(Unexpected{i, "no `*`", "opaque versions have no series; a star itself is `\\*`"});
        if (operand[i] == '\\') ++i;
        if (i == operand.size()) return tl::make_unexpected(Unexpected{i, "a character after the backslash"});
        text += operand[i];
    }
    return text;
}

std::string escape(std::string_view text) {
    std::string operand;
    for (const char c : text) {
        if (escaped.find(c) != std::string_view::npos) operand += '\\';
        operand += c;
    }
    return operand;
}

Cuts exactly(std::string_view version) {
    const std::string key = to_key(version);
    return range({key}, {key + key::after_all});
}

/// `==V`; the reader lets no other operator through.
Parsed<Cuts> clause(Operator, std::string_view operand) {
    if (auto valid = check(operand); !valid) return tl::make_unexpected(std::move(valid.error()));
    const auto text = unescape(operand);
    if (!text) return tl::make_unexpected(text.error());
    return exactly(*text);
}

std::string equal_operand(const Cut& from, const Cut& to, Spelling) {
    return from.at == std::string_view(to.at).substr(0, to.at.size() - 1) ? escape(from_key(from.at)) : std::string();
}

// A finite set is written by its members, and its complement by what it lacks, so neither is ever asked for.
std::string bound(const Cut&, Spelling) { return {}; }
std::string identical_operand(const Cut&, const Cut&) { return {}; }

}  // namespace

const Notation notation{clause, exactly, bound, bound, equal_operand, identical_operand};

}  // namespace vmatrix::version::opaque
