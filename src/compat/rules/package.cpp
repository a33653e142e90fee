#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

const Fact* fact_of(const Candidate& candidate) { return candidate.build ? candidate.build->fact : nullptr; }

std::string title(const Candidate& candidate) { return candidate.component + " " + candidate.version; }

Judgement about(const Candidate& candidate, const std::string& other) {
    Judgement judgement;
    judgement.reason = {"packaging", {candidate.component, other}, {}, {}, {}};
    if (const Fact* fact = fact_of(candidate)) cite(judgement.reason, *fact);
    return judgement;
}

bool made_for_others(const Candidate& one, const Candidate& other) {
    const std::string& a = one.build->accelerator;
    const std::string& b = other.build->accelerator;
    return a != "any" && b != "any" && a != b;
}

}  // namespace

Parts parts_of_host(const Question& question) {
    Parts parts;
    if (question.host.kernel) parts.emplace("kernel", *question.host.kernel);
    if (question.host.glibc) parts.emplace("glibc", *question.host.glibc);
    for (const Spec& spec : question.request.specs) {
        if (is_runtime(spec) || question.packages.contains(spec.name)) continue;
        const auto scheme = question.matrix.scheme(spec.name);
        if (auto version = scheme ? exact_version(spec, *scheme) : std::nullopt) parts.emplace(spec.name, std::move(*version));
    }
    return parts;
}

Parts parts_of(const Question& question, const Candidate& candidate) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    const auto is_replaced = [&](const std::string& name) { return packages.contains(name) && std::ranges::find(request.specs, name, &Spec::name) != request.specs.end(); };
    Parts parts;
    if (candidate.leads && candidate.cuda) parts.emplace("cuda", *candidate.cuda);
    if (candidate.leads && candidate.rocm) parts.emplace("rocm", *candidate.rocm);
    if (!candidate.build) return parts;
    if (auto own = Version::parse(Scheme::pep440, candidate.version)) parts.emplace(candidate.component, std::move(*own));
    const bool linux_wheel = host.platform.starts_with("linux");   // what other wheels carry was not read
    for (const std::string_view field : {"bundles", "companions"}) {
        if (field == "bundles" && !linux_wheel) continue;
        const Value* carried = candidate.build->fact ? candidate.build->fact->find(field) : nullptr;
        for (const auto& [name, text] : carried ? carried->members : std::vector<model::Entry>{}) {
            const auto scheme = host.watched.contains(name) && !is_replaced(name) ? matrix.scheme(name) : base::fail("");
            auto version = scheme && name != "cuda" && name != "rocm" ? Version::parse(*scheme, text.text) : base::fail("");
            if (version && is_made_for(matrix, name, text.text, host.platform)) parts.emplace(name, std::move(*version));
        }
    }
    return parts;
}

const Value* need_of(const Candidate& candidate, std::string_view component) {
    const Fact* fact = fact_of(candidate);
    return fact ? fact->find("requires", component) : nullptr;
}

namespace {

std::string need_text(const Candidate& candidate, const std::string& component, const Value& need, bool met, const Version& version) {
    return title(candidate) + " needs " + component + " " + need.text + (met ? "" : ", not " + version.str());
}

/// A statement of one package about a component of another: `tell(level, component, text)`, where `text()` words it. Most of what packages
/// say of each other is asked for its level alone.
template <class Tell>
void tell_need(const Candidate& candidate, const std::string& component, const Version& version, const Tell& tell) {
    const Value* need = need_of(candidate, component);
    if (!need) return;
    const bool met = set_holds(*fact_of(candidate), "requires", component, version);
    tell(met ? Level::supported : Level::broken, component, [&] { return need_text(candidate, component, *need, met, version); });
}

bool same_runtime(const Candidate& one, const Candidate& other) {
    const auto [shorter, longer] = std::minmax(one.runtime_minor, other.runtime_minor, [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    return longer.starts_with(shorter) && (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

bool same_major(const Candidate& one, const Candidate& other) {
    const auto major = [](const std::string& minor) { return minor.substr(0, minor.find('.')); };
    return major(one.runtime_minor) == major(other.runtime_minor);
}

/// Compiled code of a package, and of one that brings its own runtime, beside the runtime of another. Patches of a runtime are the same to
/// what is built on it.
template <class Tell>
void tell_two_runtimes(const Candidate& one, const Candidate& other, bool needs, const Tell& tell) {
    const auto& a = one.cuda ? one.cuda : one.rocm;
    const auto& b = other.cuda ? other.cuda : other.rocm;
    if (!a || !b || one.cuda.has_value() != other.cuda.has_value() || same_runtime(one, other)) return;
    const bool near = same_major(one, other);
    if (!needs && near) return;   // each brings its own
    const std::string runtime = one.cuda ? "CUDA " : "ROCm ";
    tell(near || !needs ? Level::expected : Level::broken, other.component, [&] { return title(one) + " is built on " + runtime + a->str() + ", " + title(other) + " on " + b->str(); });
}

/// A package that another one brings in a version of its own, to which its metadata pins it: pip installs no other beside it.
template <class Tell>
void tell_carried(const Candidate& one, const Candidate& other, const Tell& tell) {
    const Fact* fact = fact_of(one);
    if (!fact || one.build->accelerator == "cpu") return;
    const Value* brought = carried(*fact, other.component);
    if (!brought && one.leads && other.brought_by.contains(one.component)) tell(Level::unknown, other.component, [&] { return "the matrix does not know which " + other.component + " comes with " + title(one); });
    const auto own = brought ? Version::parse(Scheme::pep440, brought->text) : base::fail("");
    const auto chosen = own ? Version::parse(Scheme::pep440, other.build ? other.build->version.str() : "") : base::fail("");
    if (!own || !chosen) return;
    const bool same = *own == *chosen;
    tell(same ? Level::supported : Level::broken, other.component, [&] { return other.component + " " + brought->text + " comes with " + title(one) + (same ? "" : ", not " + chosen->str()); });
}

/// All that a package says of another one.
template <class Tell>
void tell_package(const Candidate& one, const Candidate& other, const Tell& tell) {
    const Value* need = need_of(one, other.component);
    if (other.absent()) {
        if (need) tell(Level::broken, other.component, [&] { return title(one) + " needs " + other.component + " " + need->text; });
        return;
    }
    if (need && made_for_others(one, other)) return tell(Level::broken, other.component, [&] { return title(one) + " is a build for " + one.build->accelerator + ", " + title(other) + " one for " + other.build->accelerator; });
    if (need || (one.leads && other.leads)) tell_two_runtimes(one, other, need != nullptr, tell);
    tell_carried(one, other, tell);
    const bool own_runtime = one.leads || need;   // else the runtime is that of the package that it needs
    for (const auto& [component, version] : other.parts)
        if (own_runtime || (component != "cuda" && component != "rocm")) tell_need(one, component, version, tell);
}

/// Collects statements of a package as judgements.
auto collect(const Candidate& one, std::vector<Judgement>& all) {
    return [&](Level level, const std::string& component, const auto& text) {
        Judgement judgement = about(one, component);
        judgement.level = level;
        judgement.reason.text = text();
        all.push_back(std::move(judgement));
    };
}

}  // namespace

Judgement judge_need(const Candidate& candidate, const std::string& component, const Version& version) {
    std::vector<Judgement> all;
    tell_need(candidate, component, version, collect(candidate, all));
    return all.empty() ? Judgement{} : std::move(all.front());
}

std::vector<Judgement> judge_package(const Candidate& one, const Candidate& other) {
    std::vector<Judgement> all;
    tell_package(one, other, collect(one, all));
    return all;
}

Level package_level(const Candidate& one, const Candidate& other) {
    Level level = Level::supported;
    tell_package(one, other, [&](Level said, const std::string&, const auto&) { level = std::min(level, said); });
    return level;
}

const Version* part(const AllParts& all, std::string_view component) {
    for (const Parts* parts : all)
        if (const auto found = parts->find(component); found != parts->end()) return &found->second;
    return nullptr;
}

std::vector<Judgement> judge_package_rules(const std::vector<const Fact*>& rules, const AllParts& all, const AllParts& needed) {
    std::vector<Judgement> judgements;
    for (const Fact* rule : rules) {
        const Value* when = rule->find("when");
        const Value* then = rule->find("requires");
        const auto holds = [&](const model::Entry& entry) {
            const Version* version = part(all, entry.name);
            return version && set_holds(*rule, "when", entry.name, *version);
        };
        const auto brings = [&](const Parts* parts) {
            const auto has = [&](const model::Entry& entry) { return parts->contains(entry.name); };
            return std::ranges::any_of(when->members, has) || std::ranges::any_of(then->members, has);
        };
        if (!std::ranges::all_of(when->members, holds) || !std::ranges::all_of(needed, brings)) continue;
        const std::string& first = when->members.front().name;
        for (const auto& [component, versions] : then->members) {
            const Version* version = part(all, component);
            if (!version || set_holds(*rule, "requires", component, *version)) continue;
            Judgement judgement;
            judgement.level = Level::broken;
            judgement.relation = "rule " + rule->id;
            judgement.reason = {"packaging", {first, component}, first + " " + part(all, first)->str() + " needs " + component + " " + versions.text + ", not " + version->str(), {}, {}};
            cite(judgement.reason, *rule);
            judgements.push_back(std::move(judgement));
        }
    }
    return judgements;
}

}  // namespace vmatrix::compat
