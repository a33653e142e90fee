#include "app/least_driver.hpp"

#include <algorithm>

#include "compat/evaluate.hpp"

namespace vmatrix::app {
namespace {

using compat::Level;
using compat::Version;

/// The versions that stand in a set: 367 and 590 in ">=367,<590".
void add_bounds(const model::Value* set, std::vector<Version>& versions) {
    if (!set) return;
    static constexpr std::string_view digits = "0123456789.";
    const std::string_view text = set->text;
    for (auto from = text.find_first_of(digits); from != std::string_view::npos;) {
        const auto to = text.find_first_not_of(digits, from);
        auto word = text.substr(from, to == std::string_view::npos ? to : to - from);
        if (word.ends_with('.')) word.remove_suffix(1);   // of "6.1.*"
        if (auto version = compat::dotted(word)) versions.push_back(std::move(*version));
        from = to == std::string_view::npos ? to : text.find_first_of(digits, to);
    }
}

/// Every driver at which something may begin for this runtime, oldest first.
std::vector<Version> candidates(const model::Matrix& matrix, const compat::Host& host, const compat::Build& build) {
    std::vector<Version> versions;
    for (const model::Fact* rule : matrix.of("rule")) add_bounds(rule->find("requires", host.driver_component), versions);
    for (const compat::Card& card : host.cards)
        if (card.generation) add_bounds(card.generation->find("drivers", host.driver_component), versions);
    for (const compat::CudaBundle& bundle : host.cuda_bundles)
        if (build.runtime && compat::agree(bundle.cuda, *build.runtime)) versions.push_back(bundle.driver);
    for (const compat::Branch& branch : host.branches) versions.push_back(branch.number);
    std::ranges::sort(versions);
    const auto repeated = std::ranges::unique(versions);
    versions.erase(repeated.begin(), repeated.end());
    return versions;
}

void cite_driver(const compat::Evaluation& evaluation, Citations& citations) {
    for (const compat::Judgement& judgement : evaluation.judgements)
        if (judgement.reason.is_about("driver")) citations.add(judgement.reason);
}

}  // namespace

std::vector<LeastDriver> least_drivers(const model::Matrix& matrix, const compat::Host& host, const compat::Stack& stack, Citations& citations) {
    std::vector<LeastDriver> found;
    if (stack.builds.empty()) return found;
    compat::Request request;
    request.environment = stack.environment;
    request.specs.push_back({stack.builds.front().text(), stack.builds.front().package, "==" + stack.builds.front().text()});
    compat::Host with_driver = host;
    const Level least = std::min(stack.level, Level::expected);
    for (const Version& version : candidates(matrix, host, stack.builds.front())) {
        with_driver.driver = version;
        const auto evaluation = compat::evaluate(matrix, with_driver, request);
        if (!evaluation || evaluation->level() < (found.empty() ? least : stack.level)) continue;
        found.push_back({version.str(), evaluation->level()});
        cite_driver(*evaluation, citations);
        if (evaluation->level() >= stack.level) break;
    }
    return found;
}

}  // namespace vmatrix::app
