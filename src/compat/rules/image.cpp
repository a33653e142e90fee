#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// "docker.io/a/b:tag@sha256:…" in its parts.
struct Reference {
    std::string repository, tag, digest;
};
Reference read_reference(std::string_view text) {
    const auto at = text.find('@');
    const std::string digest(at == std::string_view::npos ? "" : text.substr(at + 1));
    text = text.substr(0, at);
    for (const std::string_view registry : {"docker.io/", "index.docker.io/"})   // what an engine adds to a short name
        if (text.starts_with(registry)) text.remove_prefix(registry.size());
    const auto slash = text.rfind('/');
    const auto colon = text.find(':', slash == std::string_view::npos ? 0 : slash);
    return {std::string(text.substr(0, colon)), colon == std::string_view::npos ? "latest" : std::string(text.substr(colon + 1)), digest};
}

/// What a digest pointed to outranks the tag beside it. Nothing for a digest that nobody saw.
std::optional<Reference> resolved(const Matrix& matrix, Reference reference) {
    if (reference.digest.empty()) return reference;
    for (const Fact* fact : matrix.of("digest")) {
        if (fact->text("digest") != reference.digest || fact->text("repository") != reference.repository) continue;
        reference.tag = fact->text("tag");
        return reference;
    }
    return std::nullopt;
}

bool is_cuda_image(const Reference& reference) { return reference.repository.ends_with("nvidia/cuda"); }

std::optional<Version> bundled(const Fact* image, std::string_view component) {
    const Value* inside = image ? image->find("bundles", component) : nullptr;
    return inside ? dotted(inside->text) : std::nullopt;
}

/// CUDA inside. The tag of a CUDA image tells it too: "12.8.1-base-ubuntu22.04".
std::optional<Version> cuda_inside(const Fact* image, const Reference& reference) {
    auto cuda = bundled(image, "cuda");
    if (!cuda && is_cuda_image(reference) && (image || reference.digest.empty())) cuda = dotted(reference.tag.substr(0, reference.tag.find('-')));
    return cuda;
}

/// A framework inside.
const model::Entry* framework_inside(const Matrix& matrix, const Fact* image) {
    const Value* bundles = image ? image->find("bundles") : nullptr;
    if (!bundles) return nullptr;
    const auto found = std::ranges::find_if(bundles->members, [&](const model::Entry& entry) { return has_builds(matrix, entry.name); });
    return found == bundles->members.end() ? nullptr : &*found;
}

bool same_runtime(const Build& build, const Fact& image) {
    const auto inside = bundled(&image, build.accelerator);
    return inside && build.runtime && agree(*build.runtime, *inside);
}

/// An image of the same repository: what one is made for, the others are too.
const Fact* any_of_repository(const Matrix& matrix, const std::string& repository) {
    const auto& all = matrix.of("image");
    const auto found = std::ranges::find_if(all, [&](const Fact* fact) { return fact->text("repository") == repository; });
    return found == all.end() ? nullptr : *found;
}

/// How many parts of two tags are the same: "base", "ubuntu22.04".
std::size_t alike(const std::string& a, const std::string& b) {
    const auto parts = base::split(b, '-');
    std::size_t same = 0;
    for (const auto part : base::split(a, '-')) same += std::ranges::find(parts, part) != parts.end() ? 1U : 0U;
    return same;
}

/// A tag that the list of its repository would name, were there one: the releases of CUDA before and after are in it.
const Fact* listed_release(const Matrix& matrix, const Reference& reference, const Version& cuda) {
    for (const Fact* fact : matrix.of("image"))
        if (fact->text("repository") == reference.repository && bundled(fact, "cuda") == cuda) return fact;
    return nullptr;
}

/// The build inside, where it is one that the matrix knows. Images for ROCm carry builds of their own.
std::optional<Build> build_inside(const Matrix& matrix, const Host& host, const Fact& image) {
    const Value* bundles = image.find("bundles", "cuda") ? image.find("bundles") : nullptr;
    for (const auto& [package, version] : bundles ? bundles->members : std::vector<model::Entry>{}) {
        if (!has_builds(matrix, package)) continue;
        const auto builds = find_builds(matrix, {package, package, "==" + version.text}, host, false);
        if (!builds) continue;
        const auto found = std::ranges::find_if(*builds, [&](const Build& build) { return build.accelerator == "cuda" && image_holds(image, build); });
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
    const auto reference = resolved(matrix, read_reference(image));
    if (!reference) return nullptr;
    for (const Fact* fact : matrix.of("image")) {
        const auto tags = fact->texts("tags");
        if (fact->text("repository") == reference->repository && std::ranges::find(tags, reference->tag) != tags.end()) return fact;
    }
    return nullptr;
}

std::string system_of_image(const Matrix& matrix, const Fact* fact, std::string_view image) {
    if (fact && !fact->text("os").empty()) return std::string(fact->text("os"));
    const Reference reference = read_reference(image);
    const std::string_view name = std::string_view(reference.tag).substr(reference.tag.rfind('-') + 1);
    const auto digits = name.find_first_of("0123456789");
    if (digits == std::string_view::npos) return {};
    for (const Fact* release : matrix.of("os-release")) {   // "ubuntu22.04", and "rockylinux8" by its first letters and any point release
        const bool named = name.starts_with(release->text("os")) && release->text("version").starts_with(name.substr(digits));
        if (named || lists(release->find("image-tags"), name)) return std::string(release->text("os")) + ":" + std::string(release->text("version"));
    }
    return {};
}

bool image_holds(const Fact& image, const Build& build) {
    const Value* inside = image.find("bundles", build.package);
    return inside && inside->text == build.version.str() && same_runtime(build, image);
}

Judgement judge_image_maker(const Fact* fact, const std::string& image, const Card& card) {
    Judgement judgement = about(fact, {"image", "gpu"});
    const auto cuda = cuda_inside(fact, read_reference(image)), rocm = bundled(fact, "rocm");
    if ((card.vendor == "nvidia" && !cuda && rocm) || (card.vendor == "amd" && cuda && !rocm)) {
        judgement.level = Level::broken;
        judgement.reason.text = base::printable(image) + " is made for " + (cuda ? "CUDA" : "ROCm") + ", " + card.name + " is " + card.title();
        cite(judgement.reason, *card.architecture);
    } else if (card.embedded && (cuda || rocm)) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know whether " + base::printable(image) + " is made for " + card.name + ": images for servers do not run on it";
    }
    return judgement;
}

Judgement judge_image_content(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Fact* fact, const std::string& image, const Card& card) {
    Judgement maker = judge_image_maker(fact, image, card);
    if (maker.level == Level::broken) return maker;
    Judgement judgement = about(fact, {"image", "gpu"});
    const std::string name = base::printable(image);
    const auto cuda = cuda_inside(fact, read_reference(image)), rocm = bundled(fact, "rocm");
    if (!cuda && !rocm) return judgement;   // told by judge_image_start or judge_image_system
    const Value* platforms = fact ? fact->find("platforms") : nullptr;
    judgement.level = Level::unknown;
    if (platforms && !lists(platforms, host.platform) && host.platform.starts_with("linux")) {
        judgement.level = Level::broken;
        judgement.reason.text = name + " is not built for " + host.platform + ", only for " + listed(texts(platforms));
        return judgement;
    }
    if (maker.level == Level::unknown) return maker;
    const auto build = fact ? build_inside(matrix, host, *fact) : std::nullopt;
    const model::Entry* own = build ? nullptr : framework_inside(matrix, fact);   // of the maker's own making
    const bool has_list = fact && list_on(*fact, "architectures", host.platform);
    std::vector<Judgement> parts;
    if (has_list) parts.push_back(judge_codes(matrix, host, *fact, "what it holds", card, about(fact, {"image", "gpu"})));
    if (build) {
        parts.push_back(judge_architecture(matrix, host, environment, *build, card));
        if (host.platform.starts_with("linux")) parts.push_back(judge_platform(host, *build));
    } else if (rocm) {
        parts.push_back(judge_rocm_card(matrix, host, *rocm, card));
        parts.push_back(judge_override(matrix, host, environment, card));
    } else if (!has_list) {
        parts.push_back(judge_toolkit(matrix, *cuda, card));
    }
    Judgement worst = *std::ranges::min_element(parts, {}, &Judgement::level);
    if (own && rocm) worst.level = std::min(worst.level, Level::expected);
    if (own && !rocm && !has_list && !compiles_nothing(matrix, *cuda, card)) {
        worst.level = Level::unknown;
        worst.reason.text = "the matrix does not know what its " + own->name + " " + own->value.text + " has code for";
    }
    worst.reason.text = name + ": " + worst.reason.text;
    if (fact) cite(worst.reason, *fact);
    return worst;
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
    } else if (inside && !image_holds(*fact, build)) {
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
        found.push_back({image, std::move(*version), image_holds(*image, build), image->text("python") == python});
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

std::vector<std::string> images_beside(const Matrix& matrix, const Fact* fact, std::string_view image) {
    const Reference reference = read_reference(image);
    const auto runtime = cuda_inside(fact, reference);
    std::vector<std::string> same, other;
    for (const Fact* one : matrix.of("image")) {
        if (one == fact || one->text("repository") != reference.repository || !one->text("status").empty()) continue;
        std::vector<std::string> tags = texts(one->find("tags"));
        const auto nearest = std::ranges::max_element(tags, {}, [&](const std::string& tag) { return alike(tag, reference.tag); });
        (runtime && bundled(one, "cuda") == runtime ? same : other).push_back(reference.repository + ":" + *nearest);
    }
    std::ranges::stable_sort(same, std::ranges::greater(), [&](const std::string& name) { return alike(name, reference.tag); });
    std::ranges::move(other, std::back_inserter(same));
    return same;
}

Judgement judge_image_there(const Matrix& matrix, const Host& host, const std::string& image) {
    Judgement judgement = about(host.image, {"image"});
    const Reference reference = read_reference(image);
    const auto status = host.image ? host.image->text("status") : std::string_view();
    const auto cuda = cuda_inside(host.image, reference);
    const bool may_be_unlisted = cuda && !host.image && reference.digest.empty() && is_cuda_image(reference);
    const Value* platforms = host.image ? host.image->find("platforms") : nullptr;
    if (platforms && !lists(platforms, host.platform) && host.platform.starts_with("linux")) {
        judgement.level = Level::broken;
        judgement.reason.text = base::printable(image) + " is not built for " + host.platform + ", only for " + listed(texts(platforms));
    } else if (status == "never-built") {
        judgement.level = Level::broken;
        judgement.reason.text = base::printable(image) + " was never published";
    } else if (status == "end-of-life") {
        judgement.level = Level::unknown;
        judgement.reason.text = base::printable(image) + " is at the end of its life: its maker may have removed it from the registry";
    } else if (const Fact* others = may_be_unlisted ? listed_release(matrix, reference, *cuda) : nullptr) {
        cite(judgement.reason, *others);
        judgement.level = Level::unknown;
        judgement.reason.text = base::printable(image) + " is not among the images of CUDA " + cuda->str() + " that the matrix knows, such as " + image_name(*others);
    }
    return judgement;
}

Judgement judge_image_system(const Matrix& matrix, const Host& host, const std::string& image) {
    Judgement judgement = about(host.image, {"image", "os"});
    const Fact* sibling = host.image ? host.image : any_of_repository(matrix, read_reference(image).repository);
    const bool rocm = bundled(sibling, "rocm").has_value();
    if (sibling && rocm) cite(judgement.reason, *sibling);
    if (rocm && host.windows_driver) {
        judgement.level = host.wsl ? Level::unknown : Level::broken;
        judgement.reason.text = "a container of " + base::printable(image) + " wants /dev/kfd, which only Linux has" + (host.wsl ? "; WSL has /dev/dxg instead" : "");
        judgement.advice.push_back({"run it on Linux", "os"});
    } else if (host.image && !rocm && !cuda_inside(host.image, read_reference(image))) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know what " + base::printable(image) + " holds";
    }
    return judgement;
}

Judgement judge_image_start(const Matrix& matrix, const Host& host, const std::string& image, const std::optional<Version>& driver) {
    const Reference reference = read_reference(image);
    Judgement judgement = about(host.image, {"image", "driver"});
    Reason& reason = judgement.reason;
    const auto cuda = cuda_inside(host.image, reference);
    const auto rocm = bundled(host.image, "rocm");
    if (!host.image && !cuda) {
        judgement.level = Level::unknown;
        reason.text = "the matrix does not know the image " + base::printable(image);
    }
    const bool release_known = !cuda || host.image || std::ranges::any_of(host.cuda_bundles, [&](const CudaBundle& bundle) { return agree(bundle.cuda, *cuda); });
    if (!release_known) {
        judgement.level = Level::unknown;
        reason.text = "the matrix knows neither the image " + base::printable(image) + " nor CUDA " + cuda->str();
        return judgement;
    }
    if (rocm && driver && !host.windows_driver && (host.driver_component == "amdgpu-dkms" || host.vendor.empty())) {
        Judgement served = judge_rocm_driver(matrix, *rocm, *driver);
        served.reason.text = base::printable(image) + ": " + served.reason.text;
        cite(served.reason, *host.image);
        return served;
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
    judgement.advice.push_back({"use an image of CUDA " + newest->str() + " or older", "image"});
    judgement.advice.push_back({"NVIDIA_DISABLE_REQUIRE=1 skips the check, at the risk that kernels fail", "NVIDIA_DISABLE_REQUIRE"});
    return judgement;
}

}  // namespace vmatrix::compat
