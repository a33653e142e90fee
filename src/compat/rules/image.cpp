#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// "docker.io/library/a/b:tag@sha256:…" in its parts.
struct Reference {
    std::string repository, tag;
};
Reference read_reference(std::string_view text) {
    text = text.substr(0, text.find('@'));
    for (const std::string_view registry : {"docker.io/", "index.docker.io/"})   // what an engine adds to a short name
        if (text.starts_with(registry)) text.remove_prefix(registry.size());
    const auto slash = text.rfind('/');
    const auto colon = text.find(':', slash == std::string_view::npos ? 0 : slash);
    return {std::string(text.substr(0, colon)), colon == std::string_view::npos ? "latest" : std::string(text.substr(colon + 1))};
}

bool is_cuda_image(const Reference& reference) { return reference.repository.ends_with("nvidia/cuda"); }

std::optional<Version> bundled(const Fact* image, std::string_view component) {
    const Value* inside = image ? image->find("bundles", component) : nullptr;
    return inside ? dotted(inside->text) : std::nullopt;
}

/// CUDA inside. The tag of a CUDA image tells it too: "12.8.1-base-ubuntu22.04".
std::optional<Version> cuda_inside(const Fact* image, const Reference& reference) {
    auto cuda = bundled(image, "cuda");
    if (!cuda && is_cuda_image(reference)) cuda = dotted(reference.tag.substr(0, reference.tag.find('-')));
    return cuda;
}

bool same_runtime(const Build& build, const Fact& image) {
    const auto inside = bundled(&image, build.accelerator);
    return inside && build.runtime && (cut(*build.runtime, *inside) == *inside || cut(*inside, *build.runtime) == *build.runtime);
}

bool holds(const Fact& image, const Build& build) {
    const Value* inside = image.find("bundles", build.package);
    return inside && inside->text == build.version.str() && same_runtime(build, image);
}

/// The build inside, where it is one that the matrix knows. Images for ROCm carry builds of their own.
std::optional<Build> build_inside(const Matrix& matrix, const Host& host, const Fact& image) {
    const Value* bundles = image.find("bundles");
    for (const auto& [package, version] : bundles ? bundles->members : std::vector<model::Entry>{}) {
        if (!has_builds(matrix, package)) continue;
        const auto builds = find_builds(matrix, {package, package, "==" + version.text}, host, false);
        if (!builds) continue;
        const auto found = std::ranges::find_if(*builds, [&](const Build& build) { return build.accelerator == "cuda" && holds(image, build); });
        if (found != builds->end()) return *found;
    }
    return std::nullopt;
}

Judgement about(const Fact* image, std::vector<std::string> components) {
    Judgement judgement;
    judgement.reason = {"container", std::move(components), {}, {}, {}};
    if (image) cite(judgement.reason, *image);
    return judgement;
}

/// The brand by which NVIDIA's start check knows the card. Data-center cards carry the old name.
std::vector<std::string> brands(const Host& host) {
    std::vector<std::string> result;
    for (const Card& card : host.cards) {
        if (card.is_class("datacenter")) result.emplace_back("tesla");
        else if (card.is_class("consumer")) result.emplace_back("geforce");
        else result.emplace_back("quadro");
    }
    return result;
}

bool check_lets_through(const Fact& way, std::string_view branch, const Host& host) {
    const Value* allowed = way.find("image-check", branch);
    if (!allowed) return false;
    const auto names = brands(host);
    return std::ranges::all_of(names, [&](const std::string& brand) { return lists(allowed, "any") || lists(allowed, brand); });
}

bool all_datacenter(const Host& host) {
    return !host.cards.empty() && std::ranges::all_of(host.cards, [](const Card& card) { return card.is_class("datacenter"); });
}

}  // namespace

const Fact* find_image(const Matrix& matrix, std::string_view image) {
    const auto [repository, tag] = read_reference(image);
    for (const Fact* fact : matrix.of("image")) {
        const auto tags = fact->texts("tags");
        if (fact->text("repository") == repository && std::ranges::find(tags, tag) != tags.end()) return fact;
    }
    return nullptr;
}

Judgement judge_image_content(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Fact* fact, const std::string& image, const Card& card) {
    Judgement judgement = about(fact, {"image", "gpu"});
    const auto cuda = cuda_inside(fact, read_reference(image)), rocm = bundled(fact, "rocm");
    if (!cuda && !rocm) {
        if (fact) judgement.level = Level::expected, judgement.reason.text = image + " holds neither CUDA nor ROCm, as far as the matrix knows";
        return judgement;   // an image that is not known was told at the start check
    }
    if ((card.vendor == "nvidia" && !cuda) || (card.vendor == "amd" && !rocm)) {
        judgement.level = Level::broken;
        judgement.reason.text = image + " is made for " + (cuda ? "CUDA" : "ROCm") + ", " + card.name + " is " + card.title();
        cite(judgement.reason, *card.architecture);
        return judgement;
    }
    const auto build = fact ? build_inside(matrix, host, *fact) : std::nullopt;
    Judgement inside = build ? judge_architecture(matrix, host, environment, *build, card) : cuda ? judge_toolkit(matrix, *cuda, card) : judge_rocm_card(matrix, host, *rocm, card);
    if (fact && !build && fact->find("bundles", "torch")) inside.level = std::min(inside.level, Level::expected);   // the maker's own build, whose lists are not known
    inside.reason.text = base::printable(image) + ": " + inside.reason.text;
    if (fact) cite(inside.reason, *fact);
    return inside;
}

Judgement judge_image_build(const Host& host, const std::string& image, const Build& build) {
    const Fact* fact = host.image;
    Judgement judgement = about(fact, {"image", build.package});
    const auto cuda = cuda_inside(fact, read_reference(image)), rocm = bundled(fact, "rocm");
    const Value* inside = fact ? fact->find("bundles", build.package) : nullptr;
    const std::string name = "the image " + base::printable(image);
    if (!fact && !cuda) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know " + name;
    } else if (inside && !holds(*fact, build)) {
        judgement.level = Level::broken;
        judgement.reason.text = name + " holds " + build.package + " " + inside->text + (cuda ? " on CUDA " + cuda->str() : rocm ? " on ROCm " + rocm->str() : "") + ", not " + build.text();
    } else if ((cuda && build.accelerator == "rocm") || (rocm && build.accelerator == "cuda")) {
        judgement.level = Level::broken;
        judgement.reason.text = name + " is made for " + (cuda ? "CUDA" : "ROCm") + ", " + build.title() + " for " + build.accelerator;
    } else {
        judgement.reason.text = build.title() + (inside ? " is in " : " can be installed in ") + name;
    }
    return judgement;
}

std::string image_name(const Fact& image) { return std::string(image.text("repository")) + ":" + std::string(image.texts("tags").back()); }

std::vector<const Fact*> images_of(const Matrix& matrix, const Build& build, const std::string& python) {
    struct Found {
        const Fact* image;
        Version version;
        bool exact, same_python;
    };
    std::vector<Found> found;
    for (const Fact* image : matrix.of("image")) {
        const Value* inside = image->find("bundles", build.package);
        auto version = inside ? Version::parse(Scheme::pep440, inside->text) : base::fail("");
        if (!version || !bundled(image, build.accelerator) || image->text("moving") == "true" || build.version < *version) continue;
        found.push_back({image, std::move(*version), holds(*image, build), image->text("python") == python});
    }
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) {
        if (a.exact != b.exact) return a.exact;
        if (a.version != b.version) return b.version < a.version;
        return a.same_python && !b.same_python;
    });
    std::vector<const Fact*> images;
    for (const Found& one : found) images.push_back(one.image);
    return images;
}

Judgement judge_image_start(const Matrix& matrix, const Host& host, const std::string& image, const std::optional<Version>& driver) {
    const Reference reference = read_reference(image);
    Judgement judgement = about(host.image, {"image", "driver"});
    Reason& reason = judgement.reason;
    const auto cuda = cuda_inside(host.image, reference);
    if (!host.image && !cuda) {
        judgement.level = Level::unknown;
        reason.text = "the matrix does not know the image " + base::printable(image);
    }
    if (!cuda || host.vendor == "amd") return judgement;   // nothing that asks for a driver
    if (!driver) {
        judgement.level = Level::expected;
        reason.text = image + " holds CUDA " + cuda->str();
        if (const Fact* floor = cuda_floor(matrix, host, *cuda)) {
            cite(reason, *floor);
            reason.text += ", which needs " + std::string(host.windows_driver ? "the Windows driver " : "driver ") + floor->find("requires", host.driver_component)->text;
        }
        return judgement;
    }
    if (!is_cuda_image(reference)) {   // only the images of CUDA itself ask before they start; others are served like any other CUDA
        Judgement served = judge_cuda_driver(matrix, host, *cuda, *driver, false);
        served.reason.text = base::printable(image) + ": " + served.reason.text;
        if (host.image) cite(served.reason, *host.image);
        return served;
    }
    const auto newest = newest_cuda(host, *driver);
    if (!newest) {
        judgement.level = Level::unknown;
        reason.text = "the matrix does not know which CUDA driver " + driver->str() + " serves";
        return judgement;
    }
    if (cut(*cuda, *newest) <= *newest) {
        reason.text = "driver " + driver->str() + " serves CUDA " + newest->str() + ", " + image + " asks for " + cuda->str();
        return judgement;
    }
    const std::string refused = image + " asks for a driver that serves CUDA " + cut(*cuda, *newest).str() + ", driver " + driver->str() + " serves " + newest->str();
    const Fact* branch = branch_of(host, *driver);
    for (const Fact* way : matrix.of("forward-compatibility")) {
        if (host.windows_driver || !branch || cut(*cuda, *newest) != dotted(way->text("cuda"))) continue;
        if (!check_lets_through(*way, branch->text("branch"), host)) continue;
        cite(reason, *way);
        judgement.level = all_datacenter(host) ? Level::supported : Level::broken;
        reason.text = refused + "; " + way->id + " in the image " + (all_datacenter(host) ? "serves this card on branch " : "lets it start on branch ") + std::string(branch->text("branch")) +
                      (all_datacenter(host) ? "" : ", but forward compatibility does not serve this class of card (error 804)");
        return judgement;
    }
    judgement.level = Level::broken;
    reason.text = refused;
    judgement.advice.emplace_back("use an image of CUDA " + newest->str() + " or older");
    judgement.advice.emplace_back("NVIDIA_DISABLE_REQUIRE=1 skips the check, at the risk that kernels fail");
    return judgement;
}

}  // namespace vmatrix::compat
