#include "scale.hpp"

#include <set>
#include <string>
#include <string_view>

namespace bench {
namespace {

using vmatrix::model::Entry;
using vmatrix::model::Fact;
using vmatrix::model::Matrix;
using vmatrix::model::Value;

constexpr std::string_view digits = "0123456789";
constexpr std::size_t most_of_host = 10;   // drivers and Pythons

/// "2.8.3" -> "2.8.3.post1000", "2.8.3.post1" -> "2.8.3.post1001": after the original and before the next release.
std::string later(const std::string& version, std::size_t copy) {
    const auto post = version.find(".post");
    if (post == std::string::npos) return version + ".post" + std::to_string(1000 * copy);
    return version.substr(0, post) + ".post" + std::to_string(1000 * copy + std::stoul(version.substr(post + 5)));
}

/// "3.12" -> "13.12": a Python of which no build knew before.
std::string other_python(const std::string& version, std::size_t copy) { return std::to_string(copy) + version; }

/// "==2.6.0" of an original is "==2.6.0.post1000" of its copy; "==2.6.*" and ">=2.6" hold for both.
std::string pins_of_copy(const std::string& versions, std::size_t copy) {
    std::string result;
    for (std::size_t at = 0; at < versions.size();) {
        const auto pin = versions.find("==", at);
        const auto end = pin == std::string::npos ? versions.size() : std::min(versions.find_first_of(" ,|", pin), versions.size());
        if (pin == std::string::npos || versions[end - 1] == '*') result += versions.substr(at, end - at);
        else result += versions.substr(at, pin - at) + "==" + later(versions.substr(pin + 2, end - pin - 2), copy);
        at = end;
    }
    return result;
}

Value* field(Fact& fact, std::string_view name) {
    for (Entry& entry : fact.fields)
        if (entry.name == name) return &entry.value;
    return nullptr;
}

/// Names of what has builds: the packages whose releases are copied.
std::set<std::string, std::less<>> packages_of(const Matrix& matrix) {
    std::set<std::string, std::less<>> names;
    for (const Fact* build : matrix.of("build"))
        if (const Fact* release = matrix.find("release", build->parent)) names.emplace(release->text("component"));
    return names;
}

class Copier {
public:
    Copier(const Matrix& matrix, std::size_t copy) : packages_(packages_of(matrix)), copy_(copy) {}

    [[nodiscard]] bool wants(const Fact& fact) const {
        const std::string_view kind = fact.kind->name;
        if (kind == "release") return packages_.contains(fact.text("component"));
        if (kind == "python-release" || kind == "driver-branch") return copy_ < most_of_host;
        return kind == "build";
    }

    [[nodiscard]] Fact copy(Fact fact) const {
        const std::string suffix = "~" + std::to_string(copy_);
        fact.id += suffix;
        if (!fact.parent.empty()) fact.parent += suffix;
        if (fact.kind->name == "release") change_version(fact);
        if (fact.kind->name == "python-release") change_python(fact);
        if (fact.kind->name == "driver-branch") change_branch(fact);
        if (fact.kind->name == "build") change_build(fact);
        return fact;
    }

private:
    void change_version(Fact& fact) const {
        Value* version = field(fact, "version");
        version->text = later(version->text, copy_);
    }

    void change_python(Fact& fact) const {
        Value* version = field(fact, "version");
        version->text = other_python(version->text, copy_);
    }

    /// 580 with 580.142 -> 580.1001 with 580.1001.142
    void change_branch(Fact& fact) const {
        const std::string number = "." + std::to_string(1000 + copy_);
        Value* branch = field(fact, "branch");
        if (Value* latest = field(fact, "latest")) {
            const auto rest = latest->text.find_first_not_of(digits);
            latest->text.insert(rest == std::string::npos ? latest->text.size() : rest, number);
        }
        branch->text += number;
    }

    /// The copy is built for the Pythons of the original and for their copies.
    void change_build(Fact& fact) const {
        if (Value* pythons = field(fact, "python"))
            for (std::size_t i = 0, count = pythons->items.size(); i < count; ++i) {
                Value other = pythons->items[i];
                other.text = other_python(other.text, copy_);
                pythons->items.push_back(std::move(other));
            }
        if (Value* needs = field(fact, "requires"))
            for (Entry& need : needs->members)
                if (packages_.contains(need.name)) need.value.text = pins_of_copy(need.value.text, copy_);
    }

    std::set<std::string, std::less<>> packages_;
    std::size_t copy_;
};

}  // namespace

Matrix scaled(const Matrix& matrix, std::size_t times) {
    Matrix result;
    for (const Fact& fact : matrix.facts()) result.add(fact);
    for (std::size_t number = 1; number < times; ++number) {
        const Copier copier(matrix, number);
        for (const Fact& fact : matrix.facts())
            if (copier.wants(fact)) result.add(copier.copy(fact));
    }
    return result;
}

}  // namespace bench
