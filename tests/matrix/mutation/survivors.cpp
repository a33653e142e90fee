#include "survivors.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "yaml/yaml.hpp"

namespace mutation {

bool matches(std::string_view pattern, std::string_view text) {
    const auto star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, star))) return false;
    const auto rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= text.size(); ++at)
        if (matches(rest, text.substr(at))) return true;
    return false;
}

Survivors::Survivors(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    vmatrix::base::Findings findings;
    const auto root = vmatrix::yaml::parse(text.str(), file, findings);
    const auto* list = root ? root->find("survivors") : nullptr;
    if (!list || findings.errors() > 0) throw std::runtime_error(file + " is no list of survivors");
    for (const auto& entry : list->items) {
        const auto* why = entry.find("why");
        const auto* kind = entry.find("kind");
        const auto* mutants = entry.find("mutants");
        if (!why || !kind || !mutants) throw std::runtime_error(file + ": an entry has `why`, `kind` and `mutants`");
        for (const auto& mutant : mutants->items) entries_.push_back({kind->text, mutant.text, why->text});
    }
}

std::string Survivors::why(const Mutant& mutant) {
    std::string why = mutant.argued;
    for (Entry& entry : entries_) {
        if (entry.kind != mutant.kind || !matches(entry.name, mutant.name)) continue;
        entry.used = true;
        if (why.empty()) why = entry.why;
    }
    return why;
}

std::vector<std::string> Survivors::unused() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_)
        if (!entry.used) names.push_back(entry.name);
    return names;
}

}  // namespace mutation
