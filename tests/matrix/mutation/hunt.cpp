#include "hunt.hpp"

#include <algorithm>

#include "compat/rules/rules.hpp"
#include "parallel.hpp"

namespace mutation {
namespace {

/// So many of the requests that only cite a fact are tried; those that are about it all are.
constexpr std::size_t most_citing = 40;

/// The builds and the image that a request names: "vllm==0.11.0+cu128" is vllm-0.11.0+cu128.
std::set<std::string> names_of(const Matrix& matrix, const Ask& ask) {
    std::set<std::string> names;
    for (const auto& spec : ask.request.specs)
        if (spec.versions.starts_with("==")) names.insert(spec.name + "-" + spec.versions.substr(2) + (spec.versions.find('+') == std::string::npos ? "+any" : ""));
    const Fact* image = ask.request.image ? vmatrix::compat::find_image(matrix, *ask.request.image) : nullptr;
    if (image) names.insert(image->id);
    return names;
}

}  // namespace

Hunt::Hunt(const Shipped& shipped, const std::vector<Golden>& golden) : shipped_(shipped) {
    for (std::size_t i = 0; i < golden.size(); ++i) {
        std::size_t number = 0;
        about_.insert(golden[i].about);
        for (const Variant& variant : variants(golden[i].ask)) {
            Ask ask = read_ask(variant.text);
            Part part = shipped.part_of(ask);
            named_.merge(names_of(shipped.whole(), ask));
            asked_about_[golden[i].about].push_back(asked_.size());
            asked_.push_back({i, number++, golden[i].about, variant.text, {}, std::move(ask), std::move(part)});
        }
    }
    Answers answers(shipped);
    in_parallel(asked_.size(), [&](std::size_t i) { asked_[i].answer = answers.of(asked_[i].text, asked_[i].about); });
    std::map<std::string, std::vector<std::size_t>> citing;
    for (std::size_t i = 0; i < asked_.size(); ++i)
        for (const std::string& fact : asked_[i].answer.facts) citing[fact].push_back(i);
    for (const auto& [fact, requests] : citing)
        for (std::size_t i = 0; i < std::min(requests.size(), most_citing); ++i) asked_about_[fact].push_back(requests[i]);
}

std::vector<const Hunt::Asked*> Hunt::asked_about(const Mutant& mutant) const {
    std::vector<const Asked*> all;
    for (const Fact* fact : mutant.facts) {
        const auto found = asked_about_.find(fact->id);
        if (found == asked_about_.end()) continue;
        for (const std::size_t request : found->second)
            if (const Asked* asked = &asked_[request]; std::ranges::find(all, asked) == all.end()) all.push_back(asked);
    }
    std::ranges::stable_partition(all, [&](const Asked* asked) { return kept_.contains({asked->golden, asked->variant}); });
    return all;
}

std::optional<Hunt::Killer> Hunt::killer_of(const Mutant& mutant) const {
    std::vector<Fact> kept;
    kept.reserve(mutant.facts.size());
    Shipped::Changes changes;
    for (const Fact* fact : mutant.facts) {
        auto other = changed(shipped_.lean(*fact), mutant);
        changes[fact] = other ? &kept.emplace_back(std::move(*other)) : nullptr;
    }
    std::map<Part, Matrix> parts;
    for (const Asked* asked : asked_about(mutant)) {
        auto found = parts.find(asked->part);
        if (found == parts.end()) found = parts.emplace(asked->part, shipped_.cut(asked->part, changes)).first;
        const Answer other = answer(found->second, asked->ask, asked->about);
        if (other.text != asked->answer.text) return Killer{asked->golden, asked->variant, asked->text + " -> " + other.text};
    }
    return std::nullopt;
}

}  // namespace mutation
