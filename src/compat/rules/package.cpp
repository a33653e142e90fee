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

/// The package that is needed is not there, or is a build for other cards.
Judgement refused(const Candidate& candidate, const std::string& other, std::string text) {
    Judgement judgement = about(candidate, other);
    judgement.level = Level::broken;
    judgement.reason.text = std::move(text);
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

Parts parts_of(const Matrix& matrix, const Host& host, const Candidate& candidate) {
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
            const auto scheme = host.watched.contains(name) ? matrix.scheme(name) : base::fail("");
            auto version = scheme && name != "cuda" && name != "rocm" ? Version::parse(*scheme, text.text) : base::fail("");
            if (version) parts.emplace(name, std::move(*version));
        }
    }
    return parts;
}

const Value* need_of(const Candidate& candidate, std::string_view component) {
    const Fact* fact = fact_of(candidate);
    return fact ? fact->find("requires", component) : nullptr;
}

Judgement judge_need(const Candidate& candidate, const std::string& component, const Version& version) {
    const Value* need = need_of(candidate, component);
    if (!need) return {};
    const bool met = set_holds(*fact_of(candidate), "requires", component, version);
    Judgement judgement = about(candidate, component);
    judgement.level = met ? Level::supported : Level::broken;
    judgement.reason.text = title(candidate) + " needs " + component + " " + need->text + (met ? "" : ", not " + version.str());
    return judgement;
}

namespace {

std::string major(const Version& version) { return version.canonical().substr(0, version.canonical().find('.')); }

/// Compiled code of a package, and of one that brings its own runtime, beside the runtime of another.
std::optional<Judgement> judge_two_runtimes(const Candidate& one, const Candidate& other, bool needs) {
    const auto& a = one.cuda ? one.cuda : one.rocm;
    const auto& b = other.cuda ? other.cuda : other.rocm;
    const Version minor = *dotted("0.0");   // patches of a runtime are the same to what is built on it
    if (!a || !b || one.cuda.has_value() != other.cuda.has_value() || agree(cut(*a, minor), cut(*b, minor))) return std::nullopt;
    const bool same_major = major(*a) == major(*b);
    if (!needs && same_major) return std::nullopt;   // each brings its own
    Judgement judgement = about(one, other.component);
    judgement.level = same_major || !needs ? Level::expected : Level::broken;
    const std::string runtime = one.cuda ? "CUDA " : "ROCm ";
    judgement.reason.text = title(one) + " is built on " + runtime + a->str() + ", " + title(other) + " on " + b->str();
    return judgement;
}

/// A package that another one brings or pins in a version of its own.
std::optional<Judgement> judge_carried(const Candidate& one, const Candidate& other) {
    const Fact* fact = fact_of(one);
    const Value* belongs = fact ? fact->find("companions", other.component) : nullptr;
    const Value* carried = belongs || !fact ? belongs : fact->find("bundles", other.component);
    const auto own = carried ? Version::parse(Scheme::pep440, carried->text) : base::fail("");
    const auto chosen = Version::parse(Scheme::pep440, other.build ? other.build->version.str() : "");
    if (!own || !chosen) return std::nullopt;
    Judgement judgement = about(one, other.component);
    judgement.level = *own == *chosen ? Level::supported : belongs ? Level::broken : Level::workaround;
    judgement.reason.text = other.component + " " + carried->text + " comes with " + title(one) + (*own == *chosen ? "" : ", not " + chosen->str());
    return judgement;
}

}  // namespace

std::vector<Judgement> judge_package(const Candidate& one, const Candidate& other) {
    std::vector<Judgement> all;
    const Value* need = need_of(one, other.component);
    if (need && other.absent()) return {refused(one, other.component, title(one) + " needs " + other.component + " " + need->text)};
    if (other.absent()) return all;
    if (need && made_for_others(one, other)) return {refused(one, other.component, title(one) + " is a build for " + one.build->accelerator + ", " + title(other) + " one for " + other.build->accelerator)};
    if (auto runtimes = need || (one.leads && other.leads) ? judge_two_runtimes(one, other, need != nullptr) : std::nullopt) all.push_back(std::move(*runtimes));
    if (auto carried = judge_carried(one, other)) all.push_back(std::move(*carried));
    const bool own_runtime = one.leads || need;   // else the runtime is that of the package that it needs
    for (const auto& [component, version] : other.parts)
        if (Judgement judgement = own_runtime || (component != "cuda" && component != "rocm") ? judge_need(one, component, version) : Judgement{}; !judgement.reason.text.empty()) all.push_back(std::move(judgement));
    return all;
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
