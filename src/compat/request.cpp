#include "compat/request.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace vmatrix::compat {

base::Result<Spec> parse_spec(std::string_view text) {
    text = base::trim(text);
    const auto end = std::min(text.find_first_of("=<>!~[ "), text.size());
    Spec spec{std::string(text), base::lower(text.substr(0, end)), {}, {}};
    std::ranges::replace_if(spec.name, [](char c) { return c == '_' || c == '.'; }, '-');
    const auto wrong = [](char c) { return c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9'); };
    if (spec.name.empty() || std::ranges::any_of(spec.name, wrong))
        return base::fail("`" + base::printable(text) + "` is not a package with versions", "write it as for pip: torch, \"torch>=2.6\", torch==2.6.0+cu124", base::ErrorKind::usage);
    auto rest = text.substr(end);
    if (rest.starts_with('[')) {
        const auto close = std::min(rest.find(']'), rest.size() - 1);
        spec.extras = std::string(rest.substr(1, close - 1));
        rest = rest.substr(close + 1);
    }
    rest = base::trim(rest);
    if (rest.starts_with("===")) rest.remove_prefix(1);   // pip compares the text; a version without a label means what `==` means
    spec.versions = std::string(rest);
    return spec;
}

base::Result<version::VersionSet> read_versions(const Spec& spec, version::Scheme scheme) {
    if (spec.versions.empty()) return version::VersionSet::all(scheme);
    auto set = version::VersionSet::parse(scheme, spec.versions);
    if (!set) {
        const std::string example = "such as " + spec.name + "==1.2 or \"" + spec.name + ">=1.2,<2\"";
        return base::fail("`" + base::printable(spec.text) + "`: " + set.error().message, set.error().hint.empty() ? example : set.error().hint, base::ErrorKind::usage);
    }
    if (set->empty()) return base::fail("`" + base::printable(spec.text) + "`: no version can be all of that", "ranges are joined by a comma (and) or by || (or)", base::ErrorKind::usage);
    return set;
}

std::optional<version::Version> exact_version(const Spec& spec, version::Scheme scheme) {
    if (!spec.versions.starts_with("==") || spec.versions.find_first_of("*,|") != std::string::npos) return std::nullopt;
    auto version = version::Version::parse(scheme, base::trim(std::string_view(spec.versions).substr(spec.versions.starts_with("===") ? 3 : 2)));
    return version ? std::optional(std::move(*version)) : std::nullopt;
}

}  // namespace vmatrix::compat
