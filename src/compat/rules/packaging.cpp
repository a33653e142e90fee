#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

Judgement about(const Build& build, std::vector<std::string> components) {
    Judgement judgement;
    judgement.reason = {"packaging", std::move(components), {}, {}, {}};
    if (build.fact) cite(judgement.reason, *build.fact);
    return judgement;
}

}  // namespace

Judgement judge_platform(const Host& host, const Build& build) {
    Judgement judgement = about(build, {build.package});
    const Value* platforms = build.fact ? build.fact->find("platforms") : nullptr;
    if (!platforms) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know for which platforms " + build.title() + " is built";
    } else if (!build.serves(host.platform)) {
        judgement.level = Level::broken;
        judgement.reason.text = build.title() + " is not built for " + host.platform + ", only for " + listed(texts(platforms));
    } else {
        judgement.reason.text = build.title() + " is built for " + host.platform;
    }
    return judgement;
}

Judgement judge_python(const Host& host, const Build& build, const std::string& python) {
    Judgement judgement = about(build, {build.package, "python"});
    const Value* pythons = build.list("python", host.platform);
    if (!pythons || pythons->items.empty()) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know for which Pythons " + build.title() + " is built";
    } else if (lists(pythons, python)) {
        judgement.reason.text = build.title() + " is built for Python " + python;
    } else if (lists(build.list("experimental-python", host.platform), python)) {
        judgement.level = Level::workaround;
        judgement.reason.text = build.title() + " has experimental wheels only for Python " + python;
    } else {
        judgement.level = Level::broken;
        judgement.reason.text = build.title() + " has no wheel for Python " + python + ", only for " + listed(texts(pythons));
    }
    return judgement;
}

Judgement judge_libc(const Matrix& matrix, const Host& host, const Build& build) {
    Judgement judgement = about(build, {build.package, "glibc"});
    const bool inside = host.image && image_holds(*host.image, build);
    if (inside || (host.user_space.empty() && !host.contained) || !host.platform.starts_with("linux")) return judgement;   // nothing to compare
    const Fact* own = build.fact ? matrix.find("platform-tag", build.fact->text("platform-tag")) : nullptr;
    // A build whose tag nobody read is not taken for better than those of its release.
    const Fact* tag = own || !build.release ? own : matrix.find("platform-tag", build.release->text("platform-tag"));
    const std::string library(tag ? tag->text("libc") : "glibc");
    const auto least = tag ? dotted(tag->text("least-libc")) : std::nullopt;
    if (tag) cite(judgement.reason, *tag);
    if (host.os) cite(judgement.reason, *host.os);
    const std::string need = build.title() + " needs " + library + (least ? " " + least->str() + (own ? "" : ", as other builds of its release do") : " of a version that nobody has read") + ", ";
    const auto other = host.os ? host.os->text("libc") : std::string_view();
    if (!other.empty() && other != library) {
        judgement.level = Level::broken;
        judgement.reason.text = need + host.os->id + " has " + std::string(other);
    } else if (!host.glibc) {
        judgement.level = Level::unknown;
        judgement.reason.text = need + "and the matrix does not know the C library of " + (host.user_space.empty() ? "the image" : base::printable(host.user_space));
    } else if (least) {
        const bool enough = *least <= *host.glibc;
        judgement.level = own ? (enough ? Level::supported : Level::broken) : (enough ? Level::expected : Level::unknown);
        judgement.reason.text = need + host.os->id + " has " + host.glibc->str();
    }
    return judgement;
}

Judgement judge_companion(const Matrix& matrix, const Build& build, const Spec& companion) {
    Judgement judgement = about(build, {companion.name, build.package});
    const Value* belongs = build.fact ? build.fact->find("companions", companion.name) : nullptr;
    const Value* carried = build.fact ? build.fact->find("bundles", companion.name) : nullptr;
    const auto scheme = matrix.scheme(companion.name);
    const Value* own = belongs ? belongs : carried;
    if (!own || !scheme) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know which " + companion.name + " belongs to " + build.title();
        return judgement;
    }
    const auto version = Version::parse(*scheme, own->text);
    const auto set = read_versions(companion, *scheme);
    bool fits = version && set && set->contains(*version);
    if (const auto wanted = exact_version(companion, *scheme); wanted && version && *scheme == Scheme::dotted) fits = fits || cut(*version, *wanted) == *wanted;
    // Another companion does not load; another library in place of the one that it was built with is nobody's promise.
    judgement.level = fits ? Level::supported : belongs ? Level::broken : Level::workaround;
    judgement.reason.text = companion.name + " " + own->text + (belongs ? " belongs to " : " comes with ") + build.title() + (fits ? "" : ", not " + companion.versions);
    return judgement;
}

}  // namespace vmatrix::compat
