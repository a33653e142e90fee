/// What can stand beside a build in one stack: only between such versions can a bound of what it needs be too wide or too narrow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/matrix.hpp"
#include "version/version_set.hpp"

namespace mutation {

class Beside {
public:
    explicit Beside(const vmatrix::model::Matrix& matrix);

    /// Whether builds that it needs decide about a component: it is one of them, the runtime, which they bring, or the Python.
    [[nodiscard]] bool decides(const vmatrix::model::Fact& build, std::string_view component) const;
    /// The versions that those builds have or bring, as far as all else that is needed allows them.
    [[nodiscard]] const std::vector<vmatrix::version::Version>& versions(const vmatrix::model::Fact& build, std::string_view component);

private:
    [[nodiscard]] std::vector<vmatrix::version::Version> found(const vmatrix::model::Fact& build, std::string_view component) const;
    [[nodiscard]] std::vector<std::string_view> versions_in(const vmatrix::model::Fact& build, std::string_view component) const;
    [[nodiscard]] bool allows(const vmatrix::model::Fact& build, const vmatrix::model::Fact& other, std::string_view component) const;

    const vmatrix::model::Matrix& matrix_;
    std::map<std::string_view, std::vector<const vmatrix::model::Fact*>> builds_of_;   ///< by package
    std::map<std::string, std::vector<vmatrix::version::Version>> versions_;   ///< by what is needed
};

}  // namespace mutation
