// Answers questions about PEP 440 from standard input, one answer a line; for pep440_packaging.py.
// Fields are separated by tabs, so that specifiers may have blanks:
//   norm V        the normal form
//   cmp A B       -1, 0 or 1
//   in SET V      1 or 0
// "error" where something does not parse.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "version/version_set.hpp"

using namespace vmatrix;
using version::Scheme;
using version::Version;
using version::VersionSet;

namespace {

std::string compare(std::string_view a, std::string_view b) {
    const auto left = Version::parse(Scheme::pep440, a);
    const auto right = Version::parse(Scheme::pep440, b);
    if (!left || !right) return "error";
    return *left < *right ? "-1" : *left == *right ? "0" : "1";
}

std::string inside(std::string_view set, std::string_view version) {
    const auto parsed_set = VersionSet::parse(Scheme::pep440, set);
    const auto parsed_version = Version::parse(Scheme::pep440, version);
    if (!parsed_set || !parsed_version) return "error";
    return parsed_set->contains(*parsed_version) ? "1" : "0";
}

std::string normal(std::string_view version) {
    const auto parsed = Version::parse(Scheme::pep440, version);
    return parsed ? parsed->canonical() : "error";
}

std::string answer(const std::vector<std::string_view>& fields) {
    if (fields.size() == 2 && fields[0] == "norm") return normal(fields[1]);
    if (fields.size() == 3 && fields[0] == "cmp") return compare(fields[1], fields[2]);
    if (fields.size() == 3 && fields[0] == "in") return inside(fields[1], fields[2]);
    return "unknown question";
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) std::cout << answer(base::split(line, '\t')) << '\n';
}
