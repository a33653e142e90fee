// Golden requests over the shipped matrix, and whether they notice it when the matrix becomes wrong.
//
//   matrix_mutation golden MATRIX GOLDEN                       every golden request has the answer that its file says; with VMATRIX_ACCEPT=1
//                                                              writes the answers of now into the files, for a person to review
//   matrix_mutation mutants MATRIX GOLDEN SURVIVORS [COUNT]    each mutant, or a sample of COUNT of each kind, changes an answer or is a listed
//                                                              survivor; builds and images that no request is about are counted only, and in a
//                                                              sample all facts of which no answer speaks, as they may be new
//   matrix_mutation list MATRIX                                names of all mutants
//   matrix_mutation trim MATRIX GOLDEN [KIND]                  drops the requests that no mutant needs, and shows which mutants survive
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "matrix/mutation/hunt.hpp"
#include "matrix/mutation/parallel.hpp"
#include "matrix/mutation/survivors.hpp"

namespace mutation {
namespace {

int compare_golden(const Shipped& shipped, const std::vector<Golden>& all) {
    Answers answers(shipped);
    std::vector<std::string> now(all.size());
    in_parallel(all.size(), [&](std::size_t i) { now[i] = answers.of_all(all[i]); });
    int wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (now[i] == all[i].right) continue;
        ++wrong;
        std::cout << all[i].file << ":" << all[i].line << ": " << all[i].ask << "\n  right: " << all[i].right << "\n  now:   " << now[i] << "\n";
    }
    std::cout << all.size() << " golden lines, " << wrong << " with another answer\n";
    return wrong == 0 ? 0 : 1;
}

/// Requests are answered on a part of the matrix; some of them on all of it too, where the answer must be the same.
int compare_parts(const Shipped& shipped, const std::vector<Golden>& all) {
    constexpr std::size_t some = 40;
    Answers answers(shipped);
    int wrong = 0;
    for (std::size_t i = 0; i < all.size(); i += all.size() / some + 1) {
        const Variant first = variants(all[i].ask).front();
        const std::string whole = answer(shipped.whole(), read_ask(first.text), all[i].about).text, part = answers.of(first.text, all[i].about).text;
        if (whole == part) continue;
        ++wrong;
        std::cout << first.text << "\n  of the whole matrix: " << whole << "\n  of its part: " << part << "\n";
    }
    return wrong == 0 ? 0 : 1;
}

/// FNV-1a: the same on every machine, so that the sample is.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return hash;
}

/// So many mutants of each kind.
void take_sample(std::vector<Mutant>& mutants, std::size_t of_each_kind) {
    std::ranges::sort(mutants, {}, [](const Mutant& mutant) { return hash_of(mutant.name); });
    std::map<std::string, std::size_t> taken;
    std::erase_if(mutants, [&](const Mutant& mutant) { return ++taken[mutant.kind] > of_each_kind; });
}

/// There are thousands of builds and images. Golden requests are about the newest release of each line and an image of each content;
/// they name the others too, so that each is there and needs what it needs.
bool is_asked_about(const Hunt& hunt, const Mutant& mutant) {
    const bool many = mutant.kind == "build" || mutant.kind == "image" || mutant.kind == "release";
    const auto asked = [&](const Fact* fact) { return hunt.is_asked_about(fact->id) || ((mutant.field.empty() || mutant.field == "requires") && hunt.is_named(fact->id)); };
    return !many || std::ranges::any_of(mutant.facts, asked);
}

using Killers = std::vector<std::optional<Hunt::Killer>>;
Killers killers_of(const Hunt& hunt, const std::vector<Mutant>& mutants) {
    Killers killers(mutants.size());
    in_parallel(mutants.size(), [&](std::size_t i) {
        if (mutants[i].argued.empty() && is_asked_about(hunt, mutants[i])) killers[i] = hunt.killer_of(mutants[i]);
    });
    return killers;
}

enum class Fate { killed, argued, survived, stale, not_asked };

/// What became of the mutants of one kind.
struct Count {
    int killed = 0, argued = 0, survived = 0, not_asked = 0;

    void add(Fate fate) {
        switch (fate) {
            case Fate::killed: case Fate::stale: ++killed; break;
            case Fate::argued: ++argued; break;
            case Fate::survived: ++survived; break;
            case Fate::not_asked: ++not_asked; break;
        }
    }
};

Fate fate_of(bool killed, bool argued, bool asked_about) {
    if (killed) return argued ? Fate::stale : Fate::killed;
    if (argued) return Fate::argued;
    return asked_about ? Fate::survived : Fate::not_asked;
}

int hunt_mutants(const Shipped& shipped, const std::vector<Golden>& golden, const std::string& survivors_file, std::size_t sample) {
    const Hunt hunt(shipped, golden);
    Survivors survivors(survivors_file);
    std::vector<Mutant> mutants = all_mutants(shipped.whole());
    if (sample > 0) take_sample(mutants, sample);
    const auto killers = killers_of(hunt, mutants);
    std::map<std::string, Count> counts;
    std::map<std::string, int> reasons;
    std::vector<std::string> wrong;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        const Mutant& mutant = mutants[i];
        const std::string why = survivors.why(mutant);
        const bool may_be_new = sample > 0 && !hunt.has_witness(mutant.facts.front()->id);
        const Fate fate = fate_of(killers[i].has_value(), !why.empty(), is_asked_about(hunt, mutant) && !may_be_new);
        counts[mutant.kind].add(fate);
        if (fate == Fate::argued) ++reasons[why];
        if (fate == Fate::survived) wrong.push_back("survived: " + mutant.kind + " " + mutant.name);
        if (fate == Fate::stale) wrong.push_back("stale: " + mutant.kind + " " + mutant.name + " is told apart by " + killers[i]->text);
    }
    if (sample == 0)
        for (const std::string& name : survivors.unused()) wrong.push_back("stale: no mutant is named " + name);
    for (const auto& [kind, count] : counts)
        std::cout << kind << ": " << count.killed << " killed, " << count.argued << " argued, " << count.survived << " survived, " << count.not_asked << " not asked about\n";
    for (const auto& [why, count] : reasons) std::cout << count << " survive: " << why << "\n";
    for (const std::string& line : wrong) std::cout << line << "\n";
    std::cout << mutants.size() << " mutants, " << wrong.size() << " to look at\n";
    return wrong.empty() ? 0 : 1;
}

/// The request with those of its values in braces that are kept; nothing when none is.
std::string only(const std::string& ask, const std::set<std::size_t>& kept) {
    const auto all = variants(ask);
    if (kept.empty() || all.size() == 1) return kept.empty() ? "" : ask;
    std::string values;
    for (const std::size_t i : kept) values += (values.empty() ? "" : ",") + all[i].value;
    if (kept.size() > 1) values = "{" + values + "}";
    return ask.substr(0, ask.find('{')) + values + ask.substr(ask.find('}') + 1);
}

int trim(const Shipped& shipped, const std::string& folder, const std::string& kind) {
    auto golden = read_golden(folder);
    Hunt hunt(shipped, golden);
    for (const Mutant& mutant : all_mutants(shipped.whole())) {
        if (!mutant.argued.empty() || !is_asked_about(hunt, mutant) || (!kind.empty() && mutant.kind != kind)) continue;
        if (const auto killer = hunt.killer_of(mutant)) hunt.keep(*killer);
        else std::cout << mutant.kind << "\t" << mutant.name << "\n";
    }
    std::vector<std::set<std::size_t>> kept(golden.size());
    for (const auto& [line, variant] : hunt.kept()) kept[line].insert(variant);
    for (std::size_t i = 0; i < golden.size(); ++i) golden[i].ask = only(golden[i].ask, kept[i]);
    write_golden(folder, shipped, golden);
    return 0;
}

constexpr int skipped = 77;   // as ctest takes it: nothing was compared

int run(std::span<char*> arguments) {
    const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
    if (words.size() < 2) throw std::runtime_error("usage: matrix_mutation golden|mutants|list MATRIX [GOLDEN [SURVIVORS [COUNT]]]");
    const Shipped shipped(words[1]);
    if (words[0] == "list") {
        for (const Mutant& mutant : all_mutants(shipped.whole())) std::cout << mutant.kind << "\t" << mutant.name << "\n";
        return 0;
    }
    if (words[0] == "golden" && std::getenv("VMATRIX_ACCEPT")) {   // NOLINT(concurrency-mt-unsafe): nothing writes the environment
        write_golden(words.at(2), shipped, read_golden(words.at(2)));
        return skipped;
    }
    if (words[0] == "trim") return trim(shipped, words.at(2), words.size() > 3 ? words[3] : "");
    const auto golden = read_golden(words.at(2));
    if (words[0] == "golden") return compare_golden(shipped, golden) + compare_parts(shipped, golden);
    return hunt_mutants(shipped, golden, words.at(3), words.size() > 4 ? std::stoul(words[4]) : 0);
}

}  // namespace
}  // namespace mutation

int main(int count, char** arguments) {
    try {
        return mutation::run({arguments, static_cast<std::size_t>(count)});
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
