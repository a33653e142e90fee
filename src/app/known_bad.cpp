#include "app/known_bad.hpp"

#include <algorithm>
#include <ranges>

#include "base/text.hpp"
#include "compat/candidates.hpp"

namespace vmatrix::app {
namespace {

using compat::Level;
using model::Fact;

std::string assignments(const std::map<std::string, std::string>& environment) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : environment) texts.push_back(name + "=" + value);
    return base::join(texts, " ");
}

/// The judgement that decides, if it is one about the card; known issues are listed by themselves.
const compat::Judgement* about_card(const std::vector<compat::Judgement>& judgements) {
    const auto worst = std::ranges::min_element(judgements, {}, &compat::Judgement::level);
    return worst != judgements.end() && worst->reason.is_about("gpu") ? &*worst : nullptr;
}

/// Broken without a driver is what has no code for the card: the build itself, its libraries, or all that its runtime compiles.
std::string few_words(const compat::Judgement& judgement) {
    if (judgement.level == Level::workaround && !judgement.environment.empty()) return "needs " + assignments(judgement.environment) + " (workaround)";
    return judgement.level == Level::broken ? "no code" : "";
}

/// What builds for the cards of this maker run on: the lists of architectures tell.
std::string accelerator_of(const model::Matrix& matrix, const std::vector<compat::Build>& builds, const std::string& vendor) {
    for (const compat::Build& build : builds)
        for (const auto id : build.fact->texts("architectures"))
            if (const Fact* architecture = matrix.find("architecture", id); architecture && architecture->text("vendor") == vendor) return build.accelerator;
    return {};
}

/// As `check` judges it; not by `check` itself, which also looks for repairs and reads every release anew for each build.
JudgedBuild judged(const model::Matrix& matrix, const compat::Host& host, const compat::Build& build) {
    compat::Request request;
    request.specs.push_back({build.package, build.package, {}});
    auto judgements = compat::make_candidate(compat::Question(matrix, host, request), build).judgements;
    std::erase_if(judgements, [](const compat::Judgement& judgement) { return judgement.issue != nullptr; });
    const auto* judgement = about_card(judgements);
    return {build, compat::worst(judgements), judgement ? few_words(*judgement) : ""};
}

/// One label may stand on two indexes: then the better build counts.
void keep_better(std::vector<JudgedBuild>& builds, JudgedBuild build) {
    const auto same = std::ranges::find_if(builds, [&](const JudgedBuild& known) { return known.build.text() == build.build.text(); });
    if (same == builds.end()) builds.push_back(std::move(build));
    else if (same->level < build.level) *same = std::move(build);
}

/// The builds with one label, oldest first.
using Line = std::vector<const JudgedBuild*>;

bool older_runtime(const Line& a, const Line& b) { return a.front()->build.runtime < b.front()->build.runtime; }

std::vector<Line> lines_by_label(const std::vector<JudgedBuild>& builds) {
    std::vector<Line> lines;
    for (const JudgedBuild& build : std::views::reverse(builds)) {
        auto line = std::ranges::find_if(lines, [&](const Line& known) { return known.front()->build.label == build.build.label; });
        if (line == lines.end()) line = lines.insert(lines.end(), Line());
        line->push_back(&build);
    }
    std::ranges::stable_sort(lines, older_runtime);
    return lines;
}

/// Neighbours in a line of which the same is to be said: from `first` up to and without `end`.
struct Run {
    std::size_t first = 0, end = 0;
};

std::vector<Run> runs(const Line& line, const std::string& why) {
    std::vector<Run> found;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i]->why != why) continue;
        if (found.empty() || found.back().end != i) found.push_back({i, i});
        found.back().end = i + 1;
    }
    return found;
}

/// "torch>=2.11.0+cu128" for a part of a line.
std::string range_text(const Line& line, const Run& run) {
    const auto& first = line[run.first]->build;
    const auto& last = line[run.end - 1]->build;
    if (run.end == line.size()) return first.package + ">=" + first.text();
    if (run.first == 0) return first.package + "<=" + last.text();
    return first.package + (run.end - run.first == 1 ? "==" + first.text() : " " + first.text() + " to " + last.text());
}

/// "torch +cu92 to +cu126" for whole lines.
std::string labels_text(const Line& first, const Line& last) {
    const auto &one = first.front()->build, &other = last.front()->build;
    return one.package + " +" + one.label + (one.label == other.label ? "" : " to +" + other.label);
}

class Ranges {
public:
    Ranges(const std::vector<Line>& lines, std::string why, Citations& citations) : lines_(lines), why_(std::move(why)), citations_(citations) {}

    std::string text() {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const auto found = runs(lines_[i], why_);
            const bool whole = !found.empty() && found.front().first == 0 && found.front().end == lines_[i].size();
            if (whole && first_whole_ == none) first_whole_ = i;
            if (!whole) end_whole(i);
            for (const Run& run : found) cite(lines_[i], run);
            for (const Run& run : found)
                if (!whole) parts_.push_back(range_text(lines_[i], run));
        }
        end_whole(lines_.size());
        return base::join(parts_, ", ") + ": " + why_;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    void end_whole(std::size_t end) {
        if (first_whole_ != none) parts_.push_back(labels_text(lines_[first_whole_], lines_[end - 1]));
        first_whole_ = none;
    }
    void cite(const Line& line, const Run& run) {
        citations_.add(*line[run.first]->build.fact);
        citations_.add(*line[run.end - 1]->build.fact);
    }

    const std::vector<Line>& lines_;
    std::string why_;
    Citations& citations_;
    std::vector<std::string> parts_;
    std::size_t first_whole_ = none;
};

bool names(const Fact& fact, const compat::Card& card) {
    const auto architectures = fact.texts("architectures"), gpus = fact.texts("gpus");
    const auto is_named = [&](const Fact* gpu) { return std::ranges::find(gpus, gpu->id) != gpus.end(); };
    return std::ranges::find(architectures, card.architecture->id) != architectures.end() || std::ranges::any_of(card.gpus, is_named);
}

/// Whether an issue takes another package than this one.
bool is_about_another(const model::Matrix& matrix, const Fact& issue, const std::string& package) {
    const model::Value* when = issue.find("when");
    return when && std::ranges::any_of(when->members, [&](const model::Entry& entry) { return entry.name != package && compat::has_builds(matrix, entry.name); });
}

std::string versions_text(const model::Value* versions) {
    std::vector<std::string> texts;
    for (const auto& [component, set] : versions ? versions->members : std::vector<model::Entry>{}) texts.push_back(component + (set.text == "*" ? "" : " " + set.text));
    return base::join(texts, ", ");
}

std::string issue_text(const Fact& issue) {
    const std::string when = versions_text(issue.find("when")), fixed = versions_text(issue.find("fixed-in"));
    return std::string(issue.text("severity")) + ": " + (when.empty() ? "" : when + ": ") + std::string(issue.text("text")) + (fixed.empty() ? "" : " Fixed in " + fixed + ".");
}

}  // namespace

std::vector<JudgedBuild> judge_builds(const model::Matrix& matrix, const compat::Host& host, const std::string& package) {
    std::vector<JudgedBuild> result;
    auto builds = compat::find_builds(matrix, {package, package, {}}, host, false);
    if (!builds) return result;
    const std::string accelerator = accelerator_of(matrix, *builds, host.vendor);
    for (const compat::Build& build : *builds) {
        const bool runs = build.accelerator == accelerator || build.accelerator == "any";
        if (runs && build.serves(host.platform)) keep_better(result, judged(matrix, host, build));
    }
    return result;
}

std::vector<std::string> bad_builds(const std::vector<JudgedBuild>& builds, Citations& citations) {
    const auto lines = lines_by_label(builds);
    std::vector<std::string> whys, texts;
    for (const JudgedBuild& build : builds)
        if (!build.why.empty() && std::ranges::find(whys, build.why) == whys.end()) whys.push_back(build.why);
    for (const std::string& why : whys) texts.push_back(Ranges(lines, why, citations).text());
    return texts;
}

std::vector<std::string> bad_overrides(const model::Matrix& matrix, const compat::Card& card, Citations& citations) {
    std::vector<std::string> texts;
    for (const Fact* fact : matrix.of("override")) {
        if (fact->text("status") != "harmful" || !names(*fact, card)) continue;
        std::map<std::string, std::string> environment;
        for (const auto& [name, value] : fact->find("environment")->members) environment[name] = value.text;
        texts.push_back(assignments(environment) + ": harmful");
        citations.add(*fact);
    }
    return texts;
}

std::vector<std::string> known_issues(const model::Matrix& matrix, const std::string& package, const compat::Card& card, Citations& citations) {
    std::vector<std::string> texts;
    for (const Fact* issue : matrix.of("issue")) {
        if (issue->text("severity") == "info" || issue->find("state") || !names(*issue, card) || is_about_another(matrix, *issue, package)) continue;
        texts.push_back(issue_text(*issue));
        citations.add(*issue);
    }
    return texts;
}

}  // namespace vmatrix::app
