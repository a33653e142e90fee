#include <algorithm>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// The one with the lowest driver for this CUDA. A CUDA known to major.minor only is served by its first release.
const CudaBundle* lowest_bundle(const Host& host, const Version& cuda) {
    const CudaBundle* lowest = nullptr;
    const auto& family = parsed_set(Scheme::dotted, "==" + cuda.canonical() + ".*");
    for (const CudaBundle& bundle : host.cuda_bundles)
        if (family && family->contains(bundle.cuda) && (!lowest || bundle.driver < lowest->driver)) lowest = &bundle;
    return lowest;
}

std::string driver_title(const Host& host) { return host.windows_driver ? "the Windows driver" : "driver"; }

/// CUDA releases tell the newest CUDA of a driver series that has no branches of its own, as on Windows.
std::optional<Version> newest_bundled(const Host& host, const Version& driver) {
    const CudaBundle* newest = nullptr;
    for (const CudaBundle& bundle : host.cuda_bundles)
        if (bundle.driver <= driver && (!newest || newest->cuda < bundle.cuda)) newest = &bundle;
    return newest ? std::optional(newest->cuda) : std::nullopt;
}

/// The first and the last known branch that serve a card.
struct Range {
    const Fact* first = nullptr;
    const Fact* last = nullptr;
    bool open = true;   ///< no newer branch is known that does not
};
Range serving(const Host& host, const Card& card) {
    Range range;
    for (const auto& [number, branch] : host.branches) {
        const bool serves = set_holds(*card.generation, "drivers", host.driver_component, number);
        if (serves && !range.first) range.first = branch;
        if (serves) range.last = branch;
        range.open = serves;
    }
    return range;
}

std::string branch_title(const Fact& branch) {
    const auto newest = branch.text("latest");
    return std::string(branch.text("branch")) + (newest.empty() ? "" : " (newest: " + std::string(newest) + ")");
}

std::string advice_for(const Host& host, const Card& card) {
    const Range range = serving(host, card);
    if (!range.last) return {};
    return "install driver branch " + branch_title(*range.last) + ": branches " + std::string(range.first->text("branch")) + " to " + std::string(range.last->text("branch")) + " serve " + card.title();
}

/// By the numbers of Windows where they are known. A number of Windows is never below that of its branch, so that those of Linux can
/// say that nothing is certain, but not that it works.
Judgement judge_windows_driver(const Host& host, const Card& card, const Version& driver) {
    const Fact& generation = *card.generation;
    Judgement judgement;
    judgement.reason = {"driver", {"driver", "gpu"}, {}, {}, {}};
    cite(judgement.reason, generation);
    const std::string who = driver_title(host) + " " + driver.str(), what = card.title();
    const Value* own = generation.find("drivers", host.driver_component);
    if (own && !set_holds(generation, "drivers", host.driver_component, driver)) {
        judgement.level = Level::broken;
        judgement.reason.text = who + " does not serve " + what + ": it needs " + own->text;
        judgement.advice.push_back({"upgrade the driver to " + own->text, "driver"});
    } else if (!set_holds(generation, "drivers", "nvidia", driver)) {
        judgement.level = Level::unknown;
        judgement.reason.text = "Linux drivers of the number " + driver.str() + " do not serve " + what + ", and the matrix does not know whether those of Windows do";
    } else if (!own && !set_holds(generation, "drivers", "nvidia", *dotted("0"))) {
        judgement.level = Level::unknown;
        judgement.reason.text = "the matrix does not know from which Windows driver on " + what + " is served";
    } else {
        judgement.level = own ? Level::supported : Level::expected;
        judgement.reason.text = own ? who + " serves " + what : "the matrix knows no limits of Windows drivers for " + what;
    }
    return judgement;
}

}  // namespace

const Fact* branch_of(const Host& host, const Version& driver) {
    const Fact* found = nullptr;
    for (const auto& [number, branch] : host.branches)
        if (number <= driver) found = branch;
    return found;
}

std::optional<Version> newest_cuda(const Host& host, const Version& driver) {
    const Fact* branch = branch_of(host, driver);
    auto newest = branch ? dotted(branch->text("cuda")) : std::nullopt;
    if (auto bundled = newest_bundled(host, driver); host.windows_driver && (!newest || (bundled && cut(*bundled, *newest) > *newest))) newest = std::move(bundled);
    return newest;
}

std::vector<BranchDriver> newest_drivers(const Host& host) {
    std::vector<BranchDriver> drivers;
    for (const auto& [number, branch] : host.branches)
        if (auto version = dotted(branch->text("latest"))) drivers.push_back({std::move(*version), branch});
    return drivers;
}

std::vector<Version> windows_drivers(const Host& host) {
    std::vector<Version> drivers;
    const auto has_limits = [&](const Card& card) { return card.generation && card.generation->find("drivers", host.driver_component); };
    if (!std::ranges::all_of(host.cards, has_limits)) return drivers;
    for (const Branch& branch : host.branches) drivers.push_back(branch.number);
    for (const CudaBundle& bundle : host.cuda_bundles) drivers.push_back(bundle.driver);
    std::ranges::sort(drivers);
    const auto repeated = std::ranges::unique(drivers);
    drivers.erase(repeated.begin(), repeated.end());
    return drivers;
}

namespace {

/// Whether a driver that meets a floor serves all cards of the host, as far as branches are known.
bool serves_some(const Host& host, const Fact& floor) {
    const auto drivers = newest_drivers(host);
    return drivers.empty() || std::ranges::any_of(drivers, [&](const BranchDriver& driver) {
        return set_holds(floor, "requires", host.driver_component, driver.version) &&
               std::ranges::all_of(host.cards, [&](const Card& card) { return judge_card_driver(host, card, driver.version).level > Level::broken; });
    });
}

}  // namespace

const Fact* cuda_floor(const Matrix& matrix, const Host& host, const Version& cuda) {
    for (const Fact* rule : matrix.of("rule"))
        if (rule->find("when")->members.size() == 1 && set_holds(*rule, "when", "cuda", cuda) && rule->find("requires", host.driver_component)) return rule;
    return nullptr;
}

std::optional<Reason> last_branch(const Host& host, const Card& card) {
    if (!card.generation || !card.generation->find("drivers") || host.windows_driver) return std::nullopt;
    const Range range = serving(host, card);
    if (!range.last || range.open) return std::nullopt;
    Reason reason{"driver", {"driver", "gpu"}, "the last driver branch for " + card.title() + " is " + branch_title(*range.last), {}, {}};
    cite(reason, *card.generation);
    cite(reason, *range.last);
    return reason;
}

Judgement judge_modules(const Host& host) {
    Judgement judgement;
    judgement.reason = {"driver", {"driver", "gpu"}, {}, {}, {}};
    const auto with = [&](std::string_view word) {
        const auto found = std::ranges::find_if(host.cards, [&](const Card& card) { return card.generation && card.generation->text("open-kernel-module") == word; });
        return found == host.cards.end() ? nullptr : &*found;
    };
    const Card* open = with("required");
    const Card* proprietary = with("impossible");
    if (!open || !proprietary || host.windows_driver) return judgement;
    judgement.level = Level::broken;
    judgement.reason.text = "no driver serves both: " + open->title() + " needs the open kernel modules, which cannot drive " + proprietary->title();
    cite(judgement.reason, *open->generation);
    cite(judgement.reason, *proprietary->generation);
    return judgement;
}

Judgement judge_cuda_driver(const Matrix& matrix, const Host& host, const Version& cuda, const Version& driver, bool needs_jit) {
    Judgement judgement;
    judgement.reason = {"driver", {"driver", "cuda"}, {}, {}, {}};
    const std::string who = driver_title(host) + " " + driver.str(), what = "CUDA " + cuda.str();
    const Fact* floor = cuda_floor(matrix, host, cuda);
    const auto needed = [&] { return floor->find("requires", host.driver_component)->text; };
    if (floor) {
        cite(judgement.reason, *floor);
        if (!set_holds(*floor, "requires", host.driver_component, driver)) {
            judgement.level = Level::broken;
            judgement.reason.text = what + " needs " + driver_title(host) + " " + needed() + ", this host has " + driver.str();
            if (host.driver && serves_some(host, *floor)) judgement.advice.push_back({"upgrade the driver to " + needed(), "driver"});
            return judgement;
        }
    }
    const CudaBundle* own = lowest_bundle(host, cuda);
    const auto newest = newest_cuda(host, driver);
    if ((own && own->driver <= driver) || (newest && cut(cuda, *newest) <= *newest)) {
        if (own) cite(judgement.reason, *own->release);
        if (const Fact* branch = branch_of(host, driver)) cite(judgement.reason, *branch);
        judgement.reason.text = who + " is new enough for " + what;
        return judgement;
    }
    if (floor) {
        judgement.level = needs_jit ? Level::broken : Level::expected;
        if (!own && !newest) {
            judgement.reason.text = who + " is not older than " + needed() + ", the least for " + what;
            return judgement;
        }
        judgement.reason.text = who + " is older than the one that " + what + " brings" + (own ? " (" + own->driver.str() + ")" : "");
        judgement.reason.text += needs_jit ? ", so it cannot compile the PTX of this build" : ", but minor-version compatibility holds from " + needed();
        return judgement;
    }
    judgement.level = Level::unknown;
    judgement.reason.text = "the matrix does not know which " + driver_title(host) + " " + what + " needs";
    return judgement;
}

Judgement judge_card_driver(const Host& host, const Card& card, const Version& driver) {
    Judgement judgement;
    judgement.reason = {"driver", {"driver", "gpu"}, {}, {}, {}};
    if (!card.generation || !card.generation->find("drivers")) return judgement;
    if (host.windows_driver) return judge_windows_driver(host, card, driver);
    cite(judgement.reason, *card.generation);
    if (!card.generation->find("drivers", host.driver_component)) {   // on a Jetson
        judgement.level = Level::unknown;
        judgement.reason.text = "the driver of " + card.title() + " is that of JetPack, whose numbers the matrix does not have";
        return judgement;
    }
    if (set_holds(*card.generation, "drivers", host.driver_component, driver)) {
        judgement.reason.text = "driver " + driver.str() + " serves " + card.title();
        return judgement;
    }
    judgement.level = Level::broken;
    judgement.reason.text = "driver " + driver.str() + " does not serve " + card.title() + ": it needs " + card.generation->find("drivers", host.driver_component)->text;
    if (std::string text = advice_for(host, card); !text.empty()) judgement.advice.push_back({std::move(text), "driver"});
    return judgement;
}

}  // namespace vmatrix::compat
