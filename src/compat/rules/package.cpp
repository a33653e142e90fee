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
    for (const std::string_view field : {"bundles", "companions"}) {
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

std::vector<Judgement> judge_package(const Candidate& one, const Candidate& other) {
    std::vector<Judgement> all;
    const Value* need = need_of(one, other.component);
    if (need && other.absent()) return {refused(one, other.component, title(one) + " needs " + other.component + " " + need->text)};
    if (other.absent()) return all;
    if (need && made_for_others(one, other)) return {refused(one, other.component, title(one) + " is a build for " + one.build->accelerator + ", " + title(other) + " one for " + other.build->accelerator)};
    for (const auto& [component, version] : other.parts)
        if (Judgement judgement = judge_need(one, component, version); !judgement.reason.text.empty()) all.push_back(std::move(judgement));
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
