/// Finds out which mutants some golden request tells from the matrix.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden.hpp"
#include "mutants.hpp"

namespace mutation {

class Hunt {
public:
    Hunt(const Shipped& shipped, const std::vector<Golden>& golden);

    /// A request whose answer the mutant changes.
    struct Killer {
        std::size_t golden = 0, variant = 0;   ///< which one in braces
        std::string text;                      ///< the request and what it answers now
    };
    /// Nothing when no request is changed. Those that were kept are tried first.
    [[nodiscard]] std::optional<Killer> killer_of(const Mutant& mutant) const;
    /// The request is worth its place: another mutant falls to it.
    void keep(const Killer& killer) { kept_.insert({killer.golden, killer.variant}); }
    [[nodiscard]] const std::set<std::pair<std::size_t, std::size_t>>& kept() const { return kept_; }
    /// Whether an answer rests on the fact, or a golden request is about it.
    [[nodiscard]] bool has_witness(const std::string& fact) const { return asked_about_.contains(fact); }
    [[nodiscard]] bool is_asked_about(const std::string& fact) const { return about_.contains(fact); }
    [[nodiscard]] bool is_named(const std::string& build_or_image) const { return named_.contains(build_or_image); }

private:
    struct Asked {
        std::size_t golden, variant;
        std::string about, text;
        Answer answer;
        Ask ask;
        Part part;
    };
    [[nodiscard]] std::vector<const Asked*> asked_about(const Mutant& mutant) const;

    const Shipped& shipped_;
    std::vector<Asked> asked_;
    std::set<std::string> about_;                                   ///< facts that golden requests are about
    std::set<std::string> named_;                                   ///< builds and images that they name
    std::set<std::pair<std::size_t, std::size_t>> kept_;
    std::map<std::string, std::vector<std::size_t>> asked_about_;   ///< fact -> requests, those that are about it first
};

}  // namespace mutation
