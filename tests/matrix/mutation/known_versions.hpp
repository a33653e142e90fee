/// The versions that the matrix names of each component, and what lies next to one of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/matrix.hpp"
#include "version/version_set.hpp"

namespace mutation {

/// Whether a dotted version is less than another.
[[nodiscard]] bool known_less(const std::string& a, const std::string& b);

class KnownVersions {
public:
    explicit KnownVersions(const vmatrix::model::Matrix& matrix);

    /// Whether the versions beside 12.4 are 12.3.2 and 12.4.1, or 12.3 and 12.5.
    enum class Exactness { full, as_written };
    /// The known versions before and after one, as far as there are such that matter.
    [[nodiscard]] std::vector<std::string> neighbours(const std::string& component, const std::string& version, Exactness exactness = Exactness::full,
                                                      const std::function<bool(const vmatrix::version::Version&)>& matters = nullptr) const;
    /// The set with one of its bounds moved to a neighbour, for each bound; those that hold the same known versions left out.
    [[nodiscard]] std::vector<std::string> moved_sets(const std::string& component, const std::string& set) const;
    /// The same among some versions only: a bound moves as far as it takes to make a difference to them.
    [[nodiscard]] std::vector<std::string> moved_sets(const std::string& component, const std::string& set, std::vector<vmatrix::version::Version> among) const;

private:
    struct Component {
        vmatrix::version::Scheme scheme;
        std::vector<vmatrix::version::Version> releases, mentioned;   ///< sorted
    };
    void add(std::string_view component, std::string_view version, bool release);
    void add_bounds(std::string_view component, std::string_view set);

    const vmatrix::model::Matrix& matrix_;
    std::map<std::string, Component, std::less<>> components_;
};

}  // namespace mutation
