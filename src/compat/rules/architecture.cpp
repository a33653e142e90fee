#include <algorithm>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

constexpr const char* override_variable = "HSA_OVERRIDE_GFX_VERSION";

std::string joined(const Value& list) { return list.items.empty() ? "nothing" : listed(texts(&list)); }

std::optional<Version> capability(const Fact& architecture) { return dotted(architecture.text("compute-capability")); }

std::string major(const Version& version) { return version.canonical().substr(0, version.canonical().find('.')); }

/// Binary compatibility: code for X.Z runs on X.Y if Z is not greater; embedded and discrete code do not replace each other.
bool runs_code(const Matrix& matrix, std::string_view code, const Card& card) {
    const Fact* target = matrix.find("architecture", code);
    if (code == card.architecture->id) return true;
    if (!target) return false;
    if (target->text("same-as") == card.architecture->id || card.architecture->text("same-as") == target->id) return true;
    if (target->find("covers")) return lists(target->find("covers"), card.architecture->id);
    const auto built = capability(*target);
    if (!built || !card.capability || (target->text("embedded") == "true") != card.embedded) return false;
    return !card.embedded && major(*built) == major(*card.capability) && *built <= *card.capability;
}

bool runs_ptx(const Matrix& matrix, std::string_view ptx, const Card& card) {
    const Fact* target = matrix.find("architecture", ptx);
    const auto built = target ? capability(*target) : std::nullopt;
    return built && card.capability && *built <= *card.capability;
}

Judgement base_judgement(const Build& build, const Card& card) {
    Judgement judgement;
    judgement.reason = {"framework", {build.package, "gpu"}, {}, {}, {}};
    if (build.fact) cite(judgement.reason, *build.fact);
    cite(judgement.reason, *card.architecture);
    return judgement;
}

std::string jetpack(const Card& card) { return "use the wheels or the container that JetPack provides for " + card.name; }

constexpr const char* worked_out = ", by a list that was worked out and not read";

/// Derived lists are good, but not the maker's word. A platform may have a list of its own.
Level native_level(const Build& build, const Host& host) {
    const bool own = build.fact->find("architectures-on", host.platform);
    return lists(build.fact->find("derived"), own ? "architectures-on" : "architectures") ? Level::expected : Level::supported;
}

Judgement nvidia(const Matrix& matrix, const Host& host, const Build& build, const Card& card) {
    Judgement judgement = base_judgement(build, card);
    const Value* code = build.list("architectures", host.platform);
    const Value* ptx = build.list("ptx", host.platform);
    const std::string who = build.title(), what = card.title();
    for (const Value& item : code->items) {
        if (!runs_code(matrix, item.text, card)) continue;
        judgement.level = native_level(build, host);
        judgement.reason.text = item.text == card.architecture->id ? who + " has code for " + what : who + " has code for " + item.text + ", which " + what + " runs too";
        if (judgement.level == Level::expected) judgement.reason.text += worked_out;
        return judgement;
    }
    if (ptx)
        for (const Value& item : ptx->items) {
            if (!runs_ptx(matrix, item.text, card)) continue;
            judgement.level = Level::expected;
            judgement.by_ptx = true;
            judgement.reason.text = who + " has no code for " + what + " but PTX for " + item.text + ", which the driver compiles at the first start";
            return judgement;
        }
    judgement.level = Level::broken;
    judgement.reason.text = who + " has no code for " + what + ": it is built for " + joined(*code) + (card.embedded ? "; code for servers does not run on " + card.name : "");
    if (card.embedded) judgement.advice.push_back(jetpack(card));
    return judgement;
}

// ---- AMD

/// What the BLAS library of this ROCm has code for, if the list is known to be complete.
const Fact* library_targets(const Matrix& matrix, const Version& rocm) {
    for (const Fact* target : matrix.of("target"))
        if (target->text("complete") == "true" && set_holds(*target, "of", "rocm", rocm)) return target;
    return nullptr;
}

const Fact* find_override(const Matrix& matrix, const Card& card, const Build& build, const std::string* value, const Host& host) {
    const Value* code = build.list("architectures", host.platform);
    for (const Fact* fact : matrix.of("override")) {
        const Value* sets = fact->find("environment", override_variable);
        if (fact->text("status") != "reported" || !sets || (value && sets->text != *value)) continue;
        if (lists(fact->find("architectures"), card.architecture->id) && lists(code, fact->text("runs"))) return fact;
    }
    return nullptr;
}

/// Whether the build has native code, and whether its BLAS library has too.
std::optional<Judgement> amd_native(const Matrix& matrix, const Host& host, const Build& build, const Card& card) {
    const Value* code = build.list("architectures", host.platform);
    const auto native = std::ranges::find_if(code->items, [&](const Value& item) { return runs_code(matrix, item.text, card); });
    if (native == code->items.end()) return std::nullopt;
    Judgement judgement = base_judgement(build, card);
    judgement.level = native_level(build, host);
    judgement.reason.text = build.title() + " has code for " + card.title() + (judgement.level == Level::expected ? worked_out : "");
    const Fact* library = build.runtime && build.fact->find("selector") == nullptr ? library_targets(matrix, *build.runtime) : nullptr;
    if (library && !lists(library->find("architectures"), card.architecture->id)) {
        judgement.level = Level::broken;
        judgement.reason.layer = "runtime";
        judgement.reason.text = build.title() + " lists " + card.title() + ", but the BLAS library of ROCm " + build.runtime->str() + " has no code for it: matrix products abort";
        cite(judgement.reason, *library);
    }
    return judgement;
}

Judgement amd(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Build& build, const Card& card) {
    const auto set = environment.find(override_variable);
    const auto native = amd_native(matrix, host, build, card);
    if (native && set == environment.end()) return *native;
    Judgement judgement = base_judgement(build, card);
    if (native) {
        judgement.level = std::min(native->level, Level::workaround);
        judgement.reason.layer = "host-config";
        judgement.reason.text = build.title() + " has code for " + card.title() + "; " + override_variable + "=" + set->second + " hides that and can do harm";
        judgement.advice.push_back(std::string("unset ") + override_variable);
        return judgement;
    }
    const Fact* way = find_override(matrix, card, build, set == environment.end() ? nullptr : &set->second, host);
    const std::string lacks = build.title() + " has no code for " + card.title() + ": it is built for " + joined(*build.list("architectures", host.platform));
    if (!way) {
        judgement.level = Level::broken;
        judgement.reason.text = lacks;
        return judgement;
    }
    const std::string value = way->find("environment", override_variable)->text;
    judgement.level = Level::workaround;
    judgement.environment[override_variable] = value;
    judgement.reason.text = lacks + "; with " + override_variable + "=" + value + " it runs as " + std::string(way->text("runs")) + ", unsupported";
    cite(judgement.reason, *way);
    return judgement;
}

}  // namespace

Judgement judge_toolkit(const Matrix& matrix, const Version& cuda, const Card& card) {
    Judgement judgement;
    judgement.level = Level::unknown;
    judgement.reason = {"runtime", {"cuda", "gpu"}, "the matrix does not know what CUDA " + cuda.str() + " compiles for", {}, {}};
    cite(judgement.reason, *card.architecture);
    for (const Fact* target : matrix.of("target")) {
        const Value* of = target->find("of");
        if (of->members.size() != 1 || !set_holds(*target, "of", "cuda", cuda)) continue;
        bool inside = lists(target->find("architectures"), card.architecture->id);
        if (const auto range = target->text("compute-capability"); !range.empty() && card.capability) {
            const auto set = VersionSet::parse(Scheme::dotted, range);
            inside = inside || (set && set->contains(*card.capability));
        }
        cite(judgement.reason, *target);
        judgement.level = inside ? Level::supported : Level::broken;
        judgement.reason.text = "CUDA " + cuda.str() + (inside ? " compiles for " : " does not compile for ") + card.title();
        return judgement;
    }
    return judgement;
}

Judgement judge_architecture(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Build& build, const Card& card) {
    const bool nvidia_build = build.accelerator == "cuda", amd_build = build.accelerator == "rocm";
    if ((card.vendor == "nvidia" && !nvidia_build) || (card.vendor == "amd" && !amd_build)) {
        Judgement judgement = base_judgement(build, card);
        judgement.level = Level::broken;
        judgement.reason.text = build.title() + " is a build for " + build.accelerator + ", " + card.name + " is " + card.title();
        return judgement;
    }
    if (build.fact && build.list("architectures", host.platform)) return nvidia_build ? nvidia(matrix, host, build, card) : amd(matrix, host, environment, build, card);
    // Without a list only the runtime tells something: a firm no, or nothing.
    Judgement judgement = base_judgement(build, card);
    judgement.level = Level::unknown;
    judgement.reason.text = "the matrix does not know what " + build.title() + " has code for";
    if (card.embedded) {   // whatever the list says, it is that of servers
        judgement.level = Level::broken;
        judgement.reason.text += ", but code for servers does not run on " + card.name;
        judgement.advice.push_back(jetpack(card));
        return judgement;
    }
    if (nvidia_build && build.runtime) {
        Judgement toolkit = judge_toolkit(matrix, *build.runtime, card);
        if (toolkit.level == Level::broken) {
            toolkit.reason.text = build.title() + " is built on CUDA " + build.runtime->str() + ", which does not compile for " + card.title();
            toolkit.reason.components.insert(toolkit.reason.components.begin(), build.package);
            return toolkit;
        }
    }
    return judgement;
}

}  // namespace vmatrix::compat
