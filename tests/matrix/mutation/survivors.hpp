/// The mutants that no golden request can tell from the matrix, each with the reason why.
#pragma once

#include <string>
#include <vector>

#include "mutants.hpp"

namespace mutation {

class Survivors {
public:
    /// Throws std::runtime_error for what cannot be read.
    explicit Survivors(const std::string& file);

    /// Why the mutant survives; empty when nobody says.
    [[nodiscard]] std::string why(const Mutant& mutant);
    /// Entries that `why` never met, for a run over all mutants.
    [[nodiscard]] std::vector<std::string> unused() const;

private:
    struct Entry {
        std::string kind, name, why;   ///< the name may hold `*`
        bool used = false;
    };
    std::vector<Entry> entries_;
};

/// Whether a text is as a pattern says, where `*` stands for anything.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

}  // namespace mutation
