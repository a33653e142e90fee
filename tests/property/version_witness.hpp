/// Versions that tell sets apart: one in every gap between the places that the clauses of a set can name.
/// Written with its own idea of what lies next to a version, to hold the cuts of src/version against.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "version/version_set.hpp"

namespace vmatrix::test {

/// The operands in a printed set. For ordered schemes.
inline std::vector<std::string> operands(const std::string& printed) {
    std::vector<std::string> found;
    std::string word;
    for (const char c : printed + ",") {
        const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+';
        if (part || (c == '!' && !word.empty())) {
            word += c;
        } else if (!word.empty()) {
            if (word.ends_with('.')) word.pop_back();   // of a wildcard
            found.push_back(word);
            word.clear();
        }
    }
    return found;
}

/// "1.9" -> "1.10": raises the number at the end of the text.
inline std::string raised(std::string text) {
    std::size_t at = text.size();
    while (at > 0 && text[at - 1] == '9') text[--at] = '0';
    if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0) {
        ++text[at - 1];
        return text;
    }
    return text.insert(at, "1");
}

// More zeros than any version or label in the tests has.
inline constexpr const char* many_zeros = ".0.0.0.0.0.0.0.0";

/// Versions just before, at and just after everything that `text`, a normal form, can bound.
inline std::vector<std::string> neighbours_pep440(const std::string& text) {
    std::vector<std::string> found{text, "0.dev0"};
    const std::string public_part = text.substr(0, text.find('+'));
    found.push_back(text + (public_part == text ? "+000000a" : ".000000a"));   // the place after exactly this version
    found.push_back(public_part);
    if (public_part.find("dev") != std::string::npos) {
        found.push_back(raised(public_part));
    } else if (public_part.find("post") != std::string::npos) {
        found.push_back(raised(public_part) + ".dev0");
        found.push_back(public_part + ".dev0");
    } else {
        found.push_back(public_part + ".post0.dev0");
        found.push_back(public_part + ".dev0");
    }
    const std::size_t base_end = public_part.find_first_of("abrpd");   // of rc, post, dev
    std::string base = public_part.substr(0, base_end);
    if (base.ends_with('.')) base.pop_back();
    found.push_back(base + ".dev0");
    found.push_back(base + many_zeros + ".1.dev0");   // after all post-releases
    found.push_back(raised(base) + ".dev0");          // after the series
    for (std::size_t dot = base.rfind('.'); dot != std::string::npos; dot = base.rfind('.', dot - 1)) found.push_back(raised(base.substr(0, dot)) + ".dev0");
    if (const auto bang = base.find('!'); bang != std::string::npos) found.push_back(raised(base.substr(0, bang)) + "!0.dev0");
    found.push_back("1!0.dev0");
    const std::size_t pre = public_part.find_first_of("abc");
    if (pre == std::string::npos) return found;
    const std::size_t pre_end = public_part.find_first_of(".", pre);
    const std::string pre_release = public_part.substr(0, pre_end);
    found.push_back(pre_release);
    found.push_back(pre_release + ".dev0");
    found.push_back(raised(pre_release) + ".dev0");   // after all its post-releases
    return found;
}

inline std::vector<std::string> neighbours_dotted(const std::string& text) {
    std::vector<std::string> found{text, "0", text + many_zeros + ".1", raised(text)};
    for (std::size_t dot = text.rfind('.'); dot != std::string::npos; dot = text.rfind('.', dot - 1)) found.push_back(raised(text.substr(0, dot)));
    return found;
}

/// Versions of which one lies in every range of the set and of its complement, and in those of `set op other` for sets
/// whose witnesses are taken together.
inline std::vector<version::Version> witnesses(const version::VersionSet& set) {
    using version::Scheme;
    const Scheme scheme = set.scheme();
    std::vector<version::Version> found;
    const auto add = [&](const std::string& text) { found.push_back(*version::Version::parse(scheme, text)); };
    if (scheme == Scheme::opaque) {
        for (const char* text : {"a", "b", "a!", "aa", "a,b", "=a", "*", "\\", "a||b", "~", "another"}) add(text);
        return found;
    }
    auto texts = operands(set.to_string());
    texts.emplace_back("0");
    for (const std::string& operand : texts)
        for (const std::string& text : scheme == Scheme::pep440 ? neighbours_pep440(operand) : neighbours_dotted(operand)) add(text);
    return found;
}

}  // namespace vmatrix::test
