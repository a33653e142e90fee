/// Random versions and version sets for property tests: few different numbers, so that they meet.
/// To be called inside a RapidCheck property.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

#include "version/version_set.hpp"

namespace vmatrix::test {

using version::Scheme;
using version::Version;
using version::VersionSet;

/// At full size always: RapidCheck's first cases would be nothing but zeros.
inline int below(int end) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, end)); }

template <class T>
T one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
}

inline Scheme random_scheme() { return one_of<Scheme>({Scheme::pep440, Scheme::dotted, Scheme::opaque}); }

inline std::string random_number() { return one_of<std::string>({"0", "0", "1", "1", "2", "3", "9", "10", "99", "99999999999999999999"}); }

inline std::string random_release(std::string_view separators) {
    std::string text = random_number();
    for (int i = below(4); i > 0; --i) text += separators[static_cast<std::size_t>(below(static_cast<int>(separators.size())))] + random_number();
    return text;
}

inline std::string random_local() {
    const std::vector<std::string> segments{"0", "1", "10", "a", "b", "0a", "cu128"};
    std::string text = one_of(segments);
    for (int i = below(3); i > 0; --i) text += "." + one_of(segments);
    return text;
}

inline std::string random_pep440(bool local) {
    std::string text = below(10) == 0 ? one_of<std::string>({"0!", "1!", "9!"}) : "";
    text += random_release(".");
    if (below(3) == 0) text += one_of<std::string>({"a", "b", "rc"}) + random_number();
    if (below(3) == 0) text += ".post" + random_number();
    if (below(3) == 0) text += ".dev" + random_number();
    if (local && below(3) == 0) text += "+" + random_local();
    return text;
}

inline std::string random_dotted() {
    std::string text = random_release("..-_");
    if (below(5) == 0) text += one_of<std::string>({"-generic", ".el9_2.x86_64", "+", "~x"});
    return text;
}

inline std::string random_opaque() { return one_of<std::string>({"a", "b", "a!", "aa", "a,b", "=a", "*", "\\", "a||b", "~"}); }

inline std::string random_text(Scheme scheme) {
    switch (scheme) {
        case Scheme::pep440: return random_pep440(true);
        case Scheme::dotted: return random_dotted();
        case Scheme::opaque: return random_opaque();
    }
    return {};
}

inline Version random_version(Scheme scheme) { return *Version::parse(scheme, random_text(scheme)); }

inline std::string random_clause(Scheme scheme) {
    if (below(20) == 0) return one_of<std::string>({"*", "!*"});
    if (below(5) == 0) return one_of<std::string>({"==", "!="}) + random_release(".") + ".*";
    if (below(6) == 0) return "~=" + random_number() + "." + random_release(".");
    if (scheme == Scheme::pep440 && below(10) == 0) return "==1" + one_of<std::string>({"rc0", "rc1", ".post0", "a2.post1"}) + ".*";
    const bool plain = below(2) == 0;
    const auto operators = plain ? std::vector<std::string>{"==", "!=", "===", "<<", "<<=", ">>", ">>="} : std::vector<std::string>{"<", "<=", ">", ">=", "!>"};
    return one_of(operators) + (scheme == Scheme::pep440 ? random_pep440(plain) : random_dotted());
}

/// One clause, or sets put together by the operations.
inline VersionSet random_set(Scheme scheme, int depth = 3) {
    if (depth == 0 || below(3) == 0) {
        if (scheme == Scheme::opaque) return VersionSet::exactly(random_version(scheme));
        return *VersionSet::parse(scheme, random_clause(scheme));
    }
    const VersionSet a = random_set(scheme, depth - 1);
    switch (below(3)) {
        case 0: return a | random_set(scheme, depth - 1);
        case 1: return a & random_set(scheme, depth - 1);
        default: return ~a;
    }
}

}  // namespace vmatrix::test
