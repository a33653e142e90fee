#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

std::string plain(std::string_view name) {
    std::string result;
    for (const char c : name)
        if (c != ' ' && c != '-') result += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return result;
}

/// A line without products means the whole architecture; one with products means those, written without the brand.
bool names_card(const Fact& line, const Card& card) {
    const Value* products = line.find("gpus");
    if (!products || card.gpus.empty()) return true;
    return std::ranges::any_of(products->items, [&](const Value& product) {
        return std::ranges::any_of(card.gpus, [&](const Fact* gpu) { return plain(gpu->text("name")).ends_with(plain(product.text)); });
    });
}

struct Listing {
    const Fact* line = nullptr;      ///< the best line about this release
    bool named = false;              ///< it names the model, or the whole architecture
    const Fact* earlier = nullptr;   ///< a supported line of earlier releases only
    const Fact* later = nullptr;     ///< a supported line of later releases
};

bool is_supported(const Fact& line) { return line.text("status") == "supported" || line.text("status") == "deprecated"; }

int rank(const Fact& line, bool named) {
    const auto status = line.text("status");
    const int by_status = status == "supported" ? 4 : status == "deprecated" ? 3 : status == "preview" ? 2 : status == "nightly" ? 1 : 0;
    return by_status * 2 + (named ? 1 : 0);
}

/// A line that is limited to other systems does not speak of this host; where no system was named it may.
bool speaks_of(const Fact& line, const std::string& os) {
    if (os.empty()) return true;
    const auto only = line.texts("os"), except = line.texts("not-os");
    const auto matches = [&](std::string_view pattern) { return is_os(os, pattern); };
    return (only.empty() || std::ranges::any_of(only, matches)) && std::ranges::none_of(except, matches);
}

Listing look_up(const Matrix& matrix, const Host& host, const Version& rocm, const Card& card) {
    Listing listing;
    const auto below = VersionSet::parse(Scheme::dotted, "<" + rocm.canonical()), above = VersionSet::parse(Scheme::dotted, ">" + rocm.canonical());
    for (const Fact* line : matrix.of("gpu-support")) {
        if (line->text("architecture") != card.architecture->id) continue;
        const bool named = names_card(*line, card) && speaks_of(*line, host.os_name);
        if (set_holds(*line, "of", "rocm", rocm)) {
            if (!listing.line || rank(*line, named) > rank(*listing.line, listing.named)) {
                listing.line = line;
                listing.named = named;
            }
            continue;
        }
        const Value* of = line->find("of", "rocm");
        const auto set = of ? parsed_set(Scheme::dotted, of->text) : std::nullopt;
        if (!is_supported(*line) || !set || !below || !above) continue;
        if (set->intersects(*above)) listing.later = line;
        if (set->intersects(*below)) listing.earlier = line;
    }
    return listing;
}

bool known_anywhere(const Matrix& matrix, const Card& card) {
    const auto in = [&](std::string_view kind) {
        return std::ranges::any_of(matrix.of(kind), [&](const Fact* fact) { return lists(fact->find("architectures"), card.architecture->id); });
    };
    return in("target") || in("build");
}

std::string releases(const Fact& line) { return line.find("of", "rocm")->text; }

/// Whether a list is one of the runtime's libraries, not of a package that stands on it.
bool of_library(const Matrix& matrix, const Fact& target) {
    return std::ranges::all_of(target.find("of")->members, [&](const model::Entry& entry) { return matrix.scheme(entry.name) == Scheme::dotted; });
}

/// A list of a release's BLAS library that decides: it names the architecture, or it is complete. Null when there is none.
const Fact* library_list(const Matrix& matrix, const Version& rocm, std::string_view architecture) {
    const Fact* complete = nullptr;
    for (const Fact* target : matrix.of("target")) {
        if (!set_holds(*target, "of", "rocm", rocm) || !of_library(matrix, *target)) continue;
        if (lists(target->find("architectures"), architecture)) return target;
        if (target->text("complete") == "true") complete = target;
    }
    return complete;
}

/// The lists that decide of the next releases below and above that have one; previews do not stand between releases.
struct Neighbours {
    const Fact* below = nullptr;
    const Fact* above = nullptr;
};
Neighbours neighbours(const Matrix& matrix, const Version& rocm, std::string_view architecture) {
    Neighbours found;
    for (const auto& [version, release] : releases_of(matrix, "rocm", Scheme::dotted)) {   // newest first
        if (release->text("stream") == "preview" || version == rocm) continue;
        const Fact* list = library_list(matrix, version, architecture);
        if (list && rocm < version) found.above = list;
        if (!list || rocm < version) continue;
        found.below = list;
        break;
    }
    return found;
}

}  // namespace

std::optional<bool> library_has(const Matrix& matrix, const Version& rocm, std::string_view architecture, Reason& reason) {
    const auto names = [&](const Fact& list) { return lists(list.find("architectures"), architecture); };
    for (const Fact* target : matrix.of("target")) {
        if (!set_holds(*target, "of", "rocm", rocm) || !of_library(matrix, *target)) continue;
        cite(reason, *target);
        if (names(*target)) return true;
        if (target->text("complete") == "true") return false;
    }
    const auto [below, above] = neighbours(matrix, rocm, architecture);
    if (!below || !above || names(*below) != names(*above)) return std::nullopt;
    cite(reason, *below);
    cite(reason, *above);
    return names(*below);
}

Judgement judge_rocm_card(const Matrix& matrix, const Host& host, const Version& rocm, const Card& card) {
    Judgement judgement;
    Reason& reason = judgement.reason;
    reason = {"runtime", {"rocm", "gpu"}, {}, {}, {}};
    const std::string who = "ROCm " + rocm.str(), what = card.title();
    const Listing listing = look_up(matrix, host, rocm, card);
    if (listing.line && listing.line->text("status") != "unsupported") {
        cite(reason, *listing.line);
        const bool full = listing.line->text("status") == "supported" && listing.named;
        judgement.level = full ? Level::supported : Level::expected;
        reason.text = "AMD lists " + what + " for " + who + " (" + std::string(listing.line->text("status")) + (listing.named ? ")" : "; not " + card.name + " by name, or not on this system)");
        return judgement;
    }
    const auto in_library = library_has(matrix, rocm, card.architecture->id, reason);
    if (in_library == true) {
        judgement.level = Level::expected;
        reason.text = "AMD does not list " + what + " for " + who + ", but its libraries have code for it";
        return judgement;
    }
    judgement.level = Level::broken;
    if (listing.later && !listing.earlier) {
        cite(reason, *listing.later);
        reason.text = what + " is newer than " + who + ": AMD lists it for " + releases(*listing.later);
        judgement.advice.push_back({"use ROCm " + releases(*listing.later), "rocm"});
    } else if (listing.earlier) {
        cite(reason, *listing.earlier);
        reason.text = "AMD dropped " + what + " before " + who + ": it was listed for " + releases(*listing.earlier);
        if (!in_library) judgement.level = Level::unknown;
    } else if (!known_anywhere(matrix, card)) {
        cite(reason, *card.architecture);
        reason.text = "no ROCm release lists " + what + ", and no known library or build has code for it";
        judgement.advice.push_back({"use another card, or OpenCL or Vulkan through the distribution's Mesa driver", "gpu"});
    } else if (in_library == false) {
        reason.text = "AMD does not list " + what + " for " + who + ", and its BLAS library has no code for it";
    } else {
        judgement.level = Level::unknown;
        cite(reason, *card.architecture);
        reason.text = "the matrix has no support list of " + who + " that names " + what;
    }
    return judgement;
}

Judgement judge_rocm_system(const Matrix& matrix, const Host& host, const Version& rocm) {
    Judgement judgement;
    judgement.reason = {"runtime", {"rocm", "os"}, {}, {}, {}};
    if (host.wsl) {
        judgement.level = Level::expected;
        judgement.reason.text = "AMD lists the systems for WSL apart, and the matrix does not have that list";
        return judgement;
    }
    if (host.os_name.empty() || !host.platform.starts_with("linux")) return judgement;
    judgement.level = Level::expected;
    const std::string who = "ROCm " + rocm.str();
    const Fact* other = nullptr;
    for (const Fact* line : matrix.of("os-support")) {
        if (line->text("status") != "supported" || !set_holds(*line, "of", "rocm", rocm)) continue;
        const auto systems = line->texts("os");
        if (std::ranges::none_of(systems, [&](std::string_view pattern) { return is_os(host.os_name, pattern); })) {
            other = line;
            continue;
        }
        judgement.reason.facts.clear();
        judgement.reason.sources.clear();
        cite(judgement.reason, *line);
        const auto kernels = line->texts("kernels");
        const auto listed_kernel = [&](std::string_view text) {
            const auto kernel = dotted(text.substr(0, text.find(' ')));
            return kernel && host.kernel && cut(*host.kernel, *kernel) == *kernel;
        };
        judgement.reason.text = "AMD lists " + base::printable(host.os_name) + " for " + who;
        if (!host.kernel || kernels.empty() || std::ranges::any_of(kernels, listed_kernel)) {
            judgement.level = Level::supported;
            return judgement;
        }
        judgement.reason.text += ", with kernel " + std::string(kernels.front()) + " and not " + host.kernel->str();
    }
    if (judgement.reason.text.empty()) {
        if (other) cite(judgement.reason, *other);
        judgement.reason.text = other ? "AMD does not list " + base::printable(host.os_name) + " for " + who : "the matrix has no list of systems for " + who;
    }
    return judgement;
}

namespace {

/// Which drivers AMD documents for a ROCm; null where nobody has read it.
const Fact* amdgpu_rule(const Matrix& matrix, const Version& rocm) {
    for (const Fact* rule : matrix.of("rule"))
        if (rule->find("requires", "amdgpu-dkms") && set_holds(*rule, "when", "rocm", rocm)) return rule;
    return nullptr;
}

}  // namespace

std::optional<std::string> assumed_amdgpu(const Matrix& matrix, const Host& host, const Version& rocm) {
    const Fact* rule = host.driver_component == "amdgpu-dkms" && !host.wsl && !host.driver ? amdgpu_rule(matrix, rocm) : nullptr;
    if (!rule) return std::nullopt;
    return "the driver is amdgpu " + rule->find("requires", "amdgpu-dkms")->text + " of AMD's packages, as " + rule->id + " asks, or that of the distribution's kernel where it is enough for the card";
}

Judgement judge_rocm_driver(const Matrix& matrix, const Version& rocm, const Version& driver) {
    Judgement judgement;
    judgement.reason = {"driver", {"driver", "rocm"}, {}, {}, {}};
    if (const Fact* rule = amdgpu_rule(matrix, rocm)) {
        const Value* needs = rule->find("requires", "amdgpu-dkms");
        cite(judgement.reason, *rule);
        const bool inside = set_holds(*rule, "requires", "amdgpu-dkms", driver);
        judgement.level = inside ? Level::supported : Level::broken;
        judgement.reason.text = "AMD documents ROCm " + rocm.str() + " with amdgpu " + needs->text + (inside ? "" : ", not with " + driver.str());
        return judgement;
    }
    judgement.level = Level::unknown;
    judgement.reason.text = "the matrix does not know which amdgpu drivers go with ROCm " + rocm.str();
    return judgement;
}

Judgement judge_module(const Matrix& matrix, const std::string& component, const Version& driver, const Version& kernel) {
    Judgement judgement;
    judgement.reason = {"kernel", {"kernel", "driver"}, {}, {}, {}};
    for (const Fact* line : matrix.of("driver-kernel")) {
        const auto number = dotted(line->text("driver"));
        if (line->text("component") != component || !number || *number != driver) continue;
        cite(judgement.reason, *line);
        const auto works = dotted(line->text("works-to")), fails = dotted(line->text("fails-from"));
        const std::string who = "the module of amdgpu " + driver.str();
        if (fails && *fails <= cut(kernel, *fails)) {
            judgement.level = Level::broken;
            judgement.reason.text = who + " does not build on kernel " + kernel.str() + ": it fails from " + fails->str() + (works ? ", the newest good one is " + works->str() : "");
            if (works) judgement.advice.push_back({"boot kernel " + works->str(), "kernel"});
            judgement.advice.push_back({"use the driver of the distribution's kernel (no-dkms), or a newer amdgpu driver", "driver"});
        } else if (works && cut(kernel, *works) <= *works) {
            judgement.reason.text = who + " builds on kernel " + kernel.str();
        } else {
            judgement.level = Level::unknown;
            judgement.reason.text = "nobody has told whether " + who + " builds on kernel " + kernel.str() + (works ? "; it does up to " + works->str() : "");
        }
        return judgement;
    }
    return judgement;
}

}  // namespace vmatrix::compat
