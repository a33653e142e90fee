#include "compat/builds.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace vmatrix::compat {
namespace {

Build make_build(const std::string& package, const Version& version, const Fact& release, const Fact& fact) {
    Build build{package, version, std::string(fact.text("build")), std::string(fact.text("accelerator")), fact.text("stream") == "preview", &release, &fact, {}, false};
    if (const Value* runtime = fact.find("bundles", build.accelerator)) build.runtime = dotted(runtime->text);
    return build;
}

bool is_default(const Build& build, const Host& host) {
    return build.serves(host.platform) && lists(build.list("index", host.platform), "pypi");
}

/// 2.6.0+cu124 -> 2.6.0
Version public_part(const Version& version) {
    const std::string text = version.canonical();
    return *Version::parse(Scheme::pep440, text.substr(0, text.find('+')));
}

std::optional<Build> unlisted_build(const std::string& package, const Version& wanted) {
    const auto runtime = runtime_of_label(wanted.local());
    if (!runtime) return std::nullopt;
    return Build{package, public_part(wanted), wanted.local(), runtime->component, false, nullptr, nullptr, runtime->version, false};
}

}  // namespace

bool Build::serves(std::string_view platform) const {
    const Value* platforms = fact ? fact->find("platforms") : nullptr;
    return !platforms || lists(platforms, platform);
}

bool Build::installable(std::string_view platform) const {
    const Value* index = list("index", platform);
    return index && !index->items.empty();
}

const Value* Build::list(std::string_view field, std::string_view platform) const {
    return fact ? list_on(*fact, field, platform) : nullptr;
}

bool holds_builds(const Matrix& matrix, const Fact& release) {
    return std::ranges::any_of(matrix.nested(release), [](const Fact* fact) { return fact->kind->name == "build"; });
}

bool has_builds(const Matrix& matrix, const std::string& package) {
    return std::ranges::any_of(matrix.of("release"), [&](const Fact* release) {
        return release->text("component") == package && holds_builds(matrix, *release);
    });
}

const Value* carried(const Fact& build, std::string_view component) {
    const Value* companion = build.find("companions", component);
    return companion ? companion : build.find("bundles", component);
}

bool is_made_for(const Matrix& matrix, const std::string& component, const std::string& version, std::string_view platform) {
    const Fact* release = matrix.find("release", component + "-" + version);
    const Value* platforms = release ? release->find("platforms") : nullptr;
    return !platforms || lists(platforms, platform);
}

bool installs_itself(const Matrix& matrix, const std::string& package) {
    const Fact* component = matrix.find("component", package);
    return component && component->text("installed-by") == "itself";
}

base::Result<std::vector<Build>> find_builds(const Matrix& matrix, const Spec& spec, const Host& host, bool only_default) {
    const auto set = read_versions(spec, Scheme::pep440);
    if (!set) return tl::make_unexpected(set.error());
    const auto exact = exact_version(spec, Scheme::pep440);
    std::vector<Build> builds;
    bool known_release = false;
    for (const auto& [version, release] : releases_of(matrix, spec.name, Scheme::pep440)) {
        known_release = known_release || (exact && public_part(*exact) == version);
        for (const Fact* fact : matrix.nested(*release)) {
            Build build = make_build(spec.name, version, *release, *fact);
            const auto labelled = Version::parse(Scheme::pep440, build.text());
            if (labelled && set->contains(*labelled)) builds.push_back(std::move(build));
        }
    }
    if (builds.empty() && exact && !known_release)
        if (auto unlisted = unlisted_build(spec.name, *exact)) builds.push_back(std::move(*unlisted));
    if (only_default && exact && exact->local().empty()) {
        std::vector<Build> defaults;
        std::ranges::copy_if(builds, std::back_inserter(defaults), [&](const Build& build) { return is_default(build, host); });
        for (Build& build : defaults) build.assumed_default = true;
        if (!defaults.empty()) return defaults;
    }
    return builds;
}

std::optional<LabelRuntime> runtime_of_label(std::string_view label) {
    const auto digits = label.find_first_of("0123456789");
    if (digits == std::string_view::npos) return std::nullopt;
    const auto kind = label.substr(0, digits);
    std::string number(label.substr(digits));
    if (kind == "cu" && number.size() > 1 && number.find('.') == std::string::npos) number.insert(number.size() - 1, ".");
    else if (kind != "rocm") return std::nullopt;
    auto version = dotted(number);
    if (!version) return std::nullopt;
    return LabelRuntime{kind == "cu" ? "cuda" : "rocm", std::move(*version)};
}

}  // namespace vmatrix::compat
