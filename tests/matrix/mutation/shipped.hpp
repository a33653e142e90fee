/// The shipped matrix cut to what one request can ask of it, so that a mutant costs milliseconds.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ask.hpp"
#include "model/matrix.hpp"

namespace mutation {

using vmatrix::model::Fact;
using vmatrix::model::Matrix;

/// Which facts a request needs: the packages with builds that it speaks of, and images or not.
struct Part {
    std::set<std::string> packages;
    bool images = false;
    auto operator<=>(const Part&) const = default;
};

class Shipped {
public:
    /// Throws std::runtime_error when the folder cannot be read.
    explicit Shipped(const std::string& folder);

    [[nodiscard]] const Matrix& whole() const { return whole_; }
    /// A fact without what no rule reads.
    [[nodiscard]] const Fact& lean(const Fact& fact) const { return lean_.at(&fact); }
    [[nodiscard]] Part part_of(const Ask& ask) const;
    /// The facts of a part, with some of them replaced or, where nothing stands for them, left out.
    using Changes = std::map<const Fact*, const Fact*>;
    [[nodiscard]] Matrix cut(const Part& part, const Changes& changes = {}) const;

private:
    [[nodiscard]] const std::vector<const Fact*>& facts_of(const Part& part) const;
    [[nodiscard]] bool belongs(const Fact& fact, const Part& part) const;
    void keep_one_build_of_each_architecture();
    void add_package(std::set<std::string>& packages, const std::string& package) const;

    Matrix whole_;
    std::unordered_map<const Fact*, Fact> lean_;             ///< without what no rule reads
    std::map<std::string, std::set<std::string>> needs_;    ///< package -> packages with builds that its builds need
    std::map<const Fact*, std::string> package_of_build_;
    std::set<const Fact*> in_all_parts_;                    ///< for each architecture a build that has code for it, and its release
    mutable std::mutex mutex_;
    mutable std::map<Part, std::vector<const Fact*>> facts_of_;   ///< those of the parts that were asked for
};

}  // namespace mutation
