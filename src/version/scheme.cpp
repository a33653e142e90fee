#include "version/scheme.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace vmatrix::version {
namespace {

constexpr std::array names{
    std::pair{Scheme::pep440, std::string_view("pep440")},
    std::pair{Scheme::dotted, std::string_view("dotted")},
    std::pair{Scheme::opaque, std::string_view("opaque")},
};

}  // namespace

base::Result<Scheme> parse_scheme(std::string_view text) {
    for (const auto& [scheme, name] : names)
        if (name == text) return scheme;
    return base::fail("`" + base::printable(text) + "` is not a version scheme: expected pep440, dotted or opaque");
}

std::string_view to_string(Scheme scheme) {
    for (const auto& [known, name] : names)
        if (known == scheme) return name;
    return {};
}

}  // namespace vmatrix::version
