#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// The image fact that has this tag.
const Fact* find_image(const Matrix& matrix, std::string_view repository, std::string_view tag) {
    for (const Fact* image : matrix.of("image")) {
        const auto tags = image->texts("tags");
        if (image->text("repository") == repository && std::ranges::find(tags, tag) != tags.end()) return image;
    }
    return nullptr;
}

/// The version with which tags of CUDA images begin: "12.8.1-base-ubuntu22.04".
std::optional<Version> version_of_tag(std::string_view tag) { return dotted(tag.substr(0, tag.find('-'))); }

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

Judgement judge_image(const Matrix& matrix, const Host& host, const std::string& image) {
    Judgement judgement;
    Reason& reason = judgement.reason;
    reason = {"container", {"image", "driver"}, {}, {}, {}};
    const auto colon = image.find(':', image.rfind('/') == std::string::npos ? 0 : image.rfind('/'));
    const std::string repository = image.substr(0, colon), tag = colon == std::string::npos ? "latest" : image.substr(colon + 1, image.find('@') - colon - 1);
    const Fact* fact = find_image(matrix, repository, tag);
    if (fact) cite(reason, *fact);
    const Value* inside = fact ? fact->find("bundles", "cuda") : nullptr;
    std::optional<Version> cuda = inside ? version_of_tag(inside->text) : std::nullopt;
    const bool checked = repository.ends_with("nvidia/cuda");
    if (!cuda && checked) cuda = version_of_tag(tag);
    if (!cuda) {
        judgement.level = fact ? Level::expected : Level::unknown;
        reason.text = fact ? image + " holds no CUDA that the host's driver would have to serve" : "the matrix does not know the image " + base::printable(image);
        return judgement;
    }
    if (!host.driver) {
        judgement.level = Level::expected;
        reason.text = image + " holds CUDA " + cuda->str();
        if (const Fact* floor = cuda_floor(matrix, host, *cuda)) cite(reason, *floor);
        return judgement;
    }
    const auto newest = newest_cuda(matrix, host, *host.driver);
    if (!newest) {
        judgement.level = Level::unknown;
        reason.text = "the matrix does not know which CUDA driver " + host.driver->str() + " serves";
        return judgement;
    }
    if (cut(*cuda, *newest) <= *newest) {
        reason.text = "driver " + host.driver->str() + " serves CUDA " + newest->str() + ", " + image + " asks for " + cuda->str();
        return judgement;
    }
    const std::string refused = image + " asks for a driver that serves CUDA " + cut(*cuda, *newest).str() + ", driver " + host.driver->str() + " serves " + newest->str();
    const Fact* branch = branch_of(matrix, host.driver_component, *host.driver);
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
