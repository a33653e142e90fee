#include "app/citations.hpp"

#include <algorithm>

namespace vmatrix::app {
namespace {

void add_new(std::vector<std::string>& texts, std::string_view text) {
    if (std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

}  // namespace

void Citations::add(const model::Fact& fact) {
    add_new(facts, fact.id);
    for (const auto source : fact.texts("source")) add_new(sources, source);
}

void Citations::add(const compat::Reason& reason) {
    for (const std::string& fact : reason.facts) add_new(facts, fact);
    for (const std::string& source : reason.sources) add_new(sources, source);
}

void Citations::add(const Citations& other) {
    for (const std::string& fact : other.facts) add_new(facts, fact);
    for (const std::string& source : other.sources) add_new(sources, source);
}

}  // namespace vmatrix::app
