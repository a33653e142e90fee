#include "compat/facts.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace vmatrix::compat {

std::optional<Version> dotted(std::string_view text) {
    auto version = Version::parse(Scheme::dotted, text);
    return version ? std::optional(std::move(*version)) : std::nullopt;
}

bool lists(const Value* list, std::string_view text) {
    return list && std::ranges::any_of(list->items, [&](const Value& item) { return item.text == text; });
}

const Value* list_on(const Fact& fact, std::string_view field, std::string_view platform) {
    const Value* own = fact.find(std::string(field) + "-on", platform);
    return own ? own : fact.find(field);
}

std::vector<std::string> texts(const Value* list) {
    std::vector<std::string> result;
    if (list)
        for (const Value& item : list->items) result.push_back(item.text);
    return result;
}

std::vector<Release> releases_of(const Matrix& matrix, std::string_view component, Scheme scheme) {
    std::vector<Release> releases;
    for (const Fact* fact : matrix.of("release")) {
        if (fact->text("component") != component) continue;
        if (auto version = Version::parse(scheme, fact->text("version"))) releases.push_back({std::move(*version), fact});
    }
    std::ranges::stable_sort(releases, [](const Release& a, const Release& b) { return b.version < a.version; });
    return releases;
}

void cite(Reason& reason, const Fact& fact) {
    if (std::ranges::find(reason.facts, fact.id) != reason.facts.end()) return;
    reason.facts.push_back(fact.id);
    for (const auto citation : fact.texts("source"))
        if (std::ranges::find(reason.sources, citation) == reason.sources.end()) reason.sources.emplace_back(citation);
}

void cite(Reason& reason, Reason other) {
    std::ranges::move(other.facts, std::back_inserter(reason.facts));
    std::ranges::move(other.sources, std::back_inserter(reason.sources));
}

const std::optional<VersionSet>& parsed_set(Scheme scheme, std::string_view text) {
    // A matrix has some hundred different sets, and the rules ask for each of them once per build.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
    };
    using Sets = std::unordered_map<std::string, std::optional<VersionSet>, Hash, std::equal_to<>>;
    static thread_local std::map<Scheme, Sets> parsed;
    Sets& sets = parsed[scheme];
    if (const auto known = sets.find(text); known != sets.end()) return known->second;
    auto set = VersionSet::parse(scheme, text);
    return sets.emplace(std::string(text), set ? std::optional(std::move(*set)) : std::nullopt).first->second;
}

bool set_holds(const Fact& fact, std::string_view field, std::string_view component, const Version& version) {
    const Value* text = fact.find(field, component);
    if (!text) return false;
    const auto& set = parsed_set(version.scheme(), text->text);
    return set && set->contains(version);
}

Version cut(const Version& version, const Version& like) {
    const auto separators = [](const std::string& text) { return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == '.' || c == '-'; })); };
    const std::string text = version.canonical();
    std::size_t left = separators(like.canonical()) + 1, end = 0;
    while (end < text.size()) {
        if ((text[end] == '.' || text[end] == '-') && --left == 0) break;
        ++end;
    }
    return end == text.size() ? version : *Version::parse(version.scheme(), text.substr(0, end));
}

bool agree(const Version& a, const Version& b) { return cut(a, b) == b || cut(b, a) == a; }

bool is_os(std::string_view os, std::string_view pattern) {
    return os.starts_with(pattern) && (os.size() == pattern.size() || os[pattern.size()] == '.' || os[pattern.size()] == ':');
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

}  // namespace vmatrix::compat
