#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
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
Level native_level(const Fact& fact, const Host& host) {
    const bool own = fact.find("architectures-on", host.platform);
    return lists(fact.find("derived"), own ? "architectures-on" : "architectures") ? Level::expected : Level::supported;
}

Judgement nvidia(const Matrix& matrix, const Host& host, const Build& build, const Card& card) {
    return judge_codes(matrix, host, *build.fact, build.title(), card, base_judgement(build, card));
}

// ---- AMD

bool holds_on(const Fact& fact, const Host& host) {
    const Value* platforms = fact.find("platforms");
    return !platforms || lists(platforms, host.platform);
}

/// Whether the BLAS library is not known to lack a target.
bool blas_runs(const Matrix& matrix, const Build& build, std::string_view target) {
    Reason reason;
    return !build.runtime || build.fact->find("selector") || library_has(matrix, *build.runtime, target, reason) != false;
}

/// A source that says that this card runs the code of a sibling of its in the build, by this value or by any.
const Fact* find_override(const Matrix& matrix, const Card& card, const Build& build, const std::string* value, const Host& host) {
    const Value* code = build.list("architectures", host.platform);
    for (const Fact* fact : matrix.of("override")) {
        const Value* sets = fact->find("environment", override_variable);
        if (fact->text("status") != "reported" || !sets || (value && sets->text != *value) || !holds_on(*fact, host)) continue;
        if (lists(fact->find("architectures"), card.architecture->id) && lists(code, fact->text("runs")) && blas_runs(matrix, build, fact->text("runs"))) return fact;
    }
    return nullptr;
}

/// Whether a source says that the card runs the code of some sibling.
bool has_override(const Matrix& matrix, const Card& card) {
    return std::ranges::any_of(matrix.of("override"), [&](const Fact* fact) { return fact->text("status") == "reported" && lists(fact->find("architectures"), card.architecture->id); });
}

/// Nothing of ROCm reads the variable on a platform that no fact of it names.
bool reads_override(const Matrix& matrix, const Host& host) {
    return std::ranges::any_of(matrix.of("override"), [&](const Fact* fact) { return fact->find("environment", override_variable) && holds_on(*fact, host); });
}

/// "10.3.0" names gfx1030: the stepping is one hexadecimal digit. Source: libhsakmt's topology reads the value, LLVM's AMDGPU targets name it.
std::optional<std::string> target_of(std::string_view value) {
    const auto parts = base::split(value, '.');
    if (parts.size() != 3) return std::nullopt;
    std::array<unsigned, 3> numbers{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char* const begin = parts[i].data();
        const char* const end = begin + parts[i].size();
        if (const auto read = std::from_chars(begin, end, numbers.at(i)); read.ec != std::errc() || read.ptr != end) return std::nullopt;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    if (numbers[1] > 9 || numbers[2] >= digits.size()) return std::nullopt;
    return "gfx" + std::to_string(numbers[0]) + std::to_string(numbers[1]) + digits[numbers[2]];
}

/// Whether the build has native code, and whether its BLAS library has too.
std::optional<Judgement> amd_native(const Matrix& matrix, const Host& host, const Build& build, const Card& card) {
    const Value* code = build.list("architectures", host.platform);
    const auto native = std::ranges::find_if(code->items, [&](const Value& item) { return runs_code(matrix, item.text, card); });
    if (native == code->items.end()) return std::nullopt;
    Judgement judgement = base_judgement(build, card);
    judgement.level = native_level(*build.fact, host);
    judgement.reason.text = build.title() + " has code for " + card.title() + (judgement.level == Level::expected ? worked_out : "");
    Reason lists_of_library;
    if (!build.runtime || build.fact->find("selector") || library_has(matrix, *build.runtime, card.architecture->id, lists_of_library) != false) return judgement;
    judgement.level = Level::broken;
    judgement.reason.layer = "runtime";
    judgement.reason.text = build.title() + " lists " + card.title() + ", but the BLAS library of ROCm " + build.runtime->str() + " has no code for it: matrix products abort";
    cite(judgement.reason, std::move(lists_of_library));
    return judgement;
}

std::string setting(const std::string& value) { return std::string(override_variable) + "=" + value; }
const std::string unset = std::string("unset ") + override_variable;

/// What becomes of a card with native code when another target is named for it.
Judgement overridden(const Matrix& matrix, const Host& host, const std::string& value, const Build& build, const Card& card, const Judgement& native) {
    Judgement judgement = base_judgement(build, card);
    judgement.reason.layer = "host-config";
    judgement.advice.push_back({unset, override_variable});
    const auto name = target_of(value);
    const Fact* target = name ? matrix.find("architecture", *name) : nullptr;
    if (const Fact* way = find_override(matrix, card, build, &value, host)) {
        judgement.level = std::min(native.level, Level::workaround);
        judgement.reason.text = build.title() + " has code for " + card.title() + "; " + setting(value) + " hides that and can do harm";
        cite(judgement.reason, *way);
        return judgement;
    }
    judgement.level = Level::broken;
    if (target) cite(judgement.reason, *target);
    if (!target) judgement.reason.text = setting(value) + " names no target that the matrix knows" + (name ? ": " + *name : "; it is written like 10.3.0");
    else if (target->text("generation") != card.architecture->text("generation")) judgement.reason.text = setting(value) + " loads code for " + target->id + ", which is of another generation than " + card.title();
    else if (!lists(build.list("architectures", host.platform), target->id)) judgement.reason.text = setting(value) + " asks for code for " + target->id + ", which " + build.title() + " has not; it has code for " + card.title() + " itself";
    else {
        judgement.level = std::min(native.level, Level::workaround);
        judgement.reason.text = setting(value) + " loads code for " + target->id + " though " + build.title() + " has code for " + card.title() + ", and nobody reports that it works";
    }
    return judgement;
}

Judgement amd(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Build& build, const Card& card) {
    const auto entry = environment.find(override_variable);
    const bool read = reads_override(matrix, host);
    const bool changes = read && entry != environment.end() && target_of(entry->second) != card.architecture->id;   // to name the own target changes nothing
    const std::string* set = changes ? &entry->second : nullptr;
    const auto native = amd_native(matrix, host, build, card);
    if (native && (!set || native->level != Level::broken)) {
        if (set) return overridden(matrix, host, *set, build, card, *native);
        if (native->level != Level::broken || !find_override(matrix, card, build, nullptr, host)) return *native;
    }
    Judgement judgement = base_judgement(build, card);
    const Fact* way = find_override(matrix, card, build, set, host);
    const std::string lacks = native ? native->reason.text : build.title() + " has no code for " + card.title() + ": it is built for " + joined(*build.list("architectures", host.platform));
    if (!way) {
        judgement.level = Level::broken;
        judgement.reason.text = lacks;
        if (entry != environment.end()) judgement.reason.text += "; " + (read ? "no source says that " + setting(entry->second) + " helps" : setting(entry->second) + " is not read on " + host.platform);
        if (entry != environment.end() && !read) judgement.advice.push_back({unset, override_variable});
        return judgement;
    }
    const std::string value = way->find("environment", override_variable)->text;
    judgement.level = Level::workaround;
    judgement.environment[override_variable] = value;
    judgement.reason.text = lacks + "; with " + setting(value) + " it runs as " + std::string(way->text("runs")) + ", unsupported";
    cite(judgement.reason, *way);
    return judgement;
}

/// A range that the package documents, where the toolkit that compiled it knows the card.
/// Nothing for a package of which no range is known at all; unknown for a release that none of its ranges speaks of.
std::optional<Judgement> by_documented_range(const Matrix& matrix, const Build& build, const Card& card) {
    if (std::ranges::none_of(matrix.of("target"), [&](const Fact* target) { return target->find("of", build.package) != nullptr; })) return std::nullopt;
    Judgement range = judge_targets(matrix, build.package, {{build.package, build.version}}, card);
    range.reason.layer = "framework";
    range.level = std::min(range.level, Level::expected);
    return range;
}

/// Without a list only the runtime and what the package documents tell something.
Judgement without_list(const Matrix& matrix, const Build& build, const Card& card) {
    const auto range = by_documented_range(matrix, build, card);
    if (build.accelerator == "any" || (build.compiled() && !card.embedded)) return range ? *range : Judgement{};
    Judgement judgement = base_judgement(build, card);
    judgement.level = Level::unknown;
    judgement.reason.text = "the matrix does not know what " + build.title() + " has code for";
    if (card.embedded) {   // whatever the list says, it is that of servers
        judgement.level = Level::broken;
        judgement.reason.text += ", but code for servers does not run on " + card.name;
        judgement.advice.push_back({jetpack(card), {}});
        return judgement;
    }
    if (build.accelerator == "cuda" && build.runtime) {
        Judgement toolkit = judge_toolkit(matrix, *build.runtime, card);
        if (toolkit.level == Level::broken && compiles_nothing(matrix, *build.runtime, card)) {
            toolkit.reason.text = build.title() + " is built on CUDA " + build.runtime->str() + ", which does not compile for " + card.title();
            toolkit.reason.components.insert(toolkit.reason.components.begin(), build.package);
            return toolkit;
        }
    }
    if (build.accelerator == "rocm" && build.runtime && !has_override(matrix, card)) {
        Reason libraries;
        if (library_has(matrix, *build.runtime, card.architecture->id, libraries) == false) {
            judgement.level = Level::broken;
            judgement.reason.layer = "runtime";
            judgement.reason.text = "the BLAS library of ROCm " + build.runtime->str() + ", which " + build.title() + " is built on, has no code for " + card.title();
            cite(judgement.reason, std::move(libraries));
            return judgement;
        }
    }
    return range && range->level != Level::unknown && card.vendor == "nvidia" ? *range : judgement;
}

}  // namespace

Judgement judge_codes(const Matrix& matrix, const Host& host, const Fact& fact, const std::string& who, const Card& card, Judgement judgement) {
    const Value* code = list_on(fact, "architectures", host.platform);
    const Value* ptx = list_on(fact, "ptx", host.platform);
    const std::string what = card.title();
    for (const Value& item : code->items) {
        if (!runs_code(matrix, item.text, card)) continue;
        judgement.level = native_level(fact, host);
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
    if (card.embedded) judgement.advice.push_back({jetpack(card), {}});
    return judgement;
}

Judgement judge_override(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Card& card) {
    Judgement judgement;
    judgement.reason = {"host-config", {"rocm", "gpu"}, {}, {}, {}};
    const auto entry = environment.find(override_variable);
    if (entry == environment.end() || !reads_override(matrix, host)) return judgement;
    const auto name = target_of(entry->second);
    if (name == card.architecture->id) return judgement;
    judgement.advice.push_back({unset, override_variable});
    judgement.level = Level::broken;
    judgement.reason.text = setting(entry->second) + " makes ROCm take " + card.title() + " for " + (name ? *name : "nothing that it knows") + ", and no source says that this works";
    for (const Fact* fact : matrix.of("override")) {
        const Value* sets = fact->find("environment", override_variable);
        if (fact->text("status") != "reported" || !sets || sets->text != entry->second || !lists(fact->find("architectures"), card.architecture->id)) continue;
        cite(judgement.reason, *fact);
        judgement.level = Level::workaround;
        judgement.reason.text = setting(entry->second) + " makes ROCm take " + card.title() + " for " + std::string(fact->text("runs")) + ", unsupported";
    }
    return judgement;
}

bool compiles_nothing(const Matrix& matrix, const Version& cuda, const Card& card) {
    return std::ranges::none_of(matrix.of("architecture"), [&](const Fact* target) {
        if (!runs_code(matrix, target->id, card)) return false;
        Card other = card;
        other.architecture = target;
        other.capability = capability(*target);
        return judge_toolkit(matrix, cuda, other).level != Level::broken;
    });
}

Judgement judge_toolkit(const Matrix& matrix, const Version& cuda, const Card& card) { return judge_targets(matrix, "cuda", {{"cuda", cuda}}, card); }

Judgement judge_architecture(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Build& build, const Card& card) {
    const bool nvidia_build = build.accelerator == "cuda", amd_build = build.accelerator == "rocm", any_build = build.accelerator == "any";
    if (!any_build && ((card.vendor == "nvidia" && !nvidia_build) || (card.vendor == "amd" && !amd_build))) {
        Judgement judgement = base_judgement(build, card);
        judgement.level = Level::broken;
        judgement.reason.text = build.title() + " is a build for " + build.accelerator + ", " + card.name + " is " + card.title();
        return judgement;
    }
    if (build.fact && build.list("architectures", host.platform)) {
        Judgement judgement = card.vendor == "nvidia" ? nvidia(matrix, host, build, card) : amd(matrix, host, environment, build, card);
        // What it compiles itself or brings from others may not load where its own PTX does.
        if (auto range = judgement.by_ptx ? by_documented_range(matrix, build, card) : std::nullopt; range && range->level == Level::broken) return std::move(*range);
        return judgement;
    }
    Judgement judgement = without_list(matrix, build, card);
    if (!amd_build) return judgement;
    const Judgement set = judge_override(matrix, host, environment, card);
    return set.level < judgement.level ? set : judgement;
}

}  // namespace vmatrix::compat
