#include "inputs/collector.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "inputs/conda_spec.hpp"
#include "inputs/marker.hpp"
#include "inputs/requirement.hpp"
#include "version/version_set.hpp"

namespace vmatrix::inputs {

tl::unexpected<base::Error> wrong(const base::Position& at, const std::string& message, std::string hint) {
    return base::fail(to_string(at) + ": " + message, std::move(hint));
}

base::Result<void> Collector::require(std::string_view text, const base::Position& at, const std::string& label) {
    auto requirement = parse_requirement(text);
    if (!requirement) return wrong(at, requirement.error().message, requirement.error().hint);
    if (!requirement->marker.empty()) {
        const std::string quoted = "`" + base::printable(requirement->marker) + "`";
        const auto truth = evaluate_marker(requirement->marker, python_);
        if (!truth) return wrong(at, "the marker " + quoted + ": " + truth.error().message, "markers are written as sys_platform == 'linux' and python_version < '3.13'");
        if (*truth == Truth::no) {
            note(at, requirement->name + " is left out: " + quoted + " does not hold" + (python_ ? " on Linux with Python " + base::printable(*python_) : " on Linux"));
            return {};
        }
        if (*truth == Truth::maybe) note(at, "kept, though it is not known whether " + quoted + " holds" + (python_ ? "" : "; --python may tell"));
    }
    if (!requirement->address.empty()) {
        if (const auto wheel = read_wheel_name(requirement->address)) requirement->versions = wheel->versions;
        else note(at, requirement->name + " may have any version: `" + base::printable(requirement->address) + "` does not tell it");
    }
    return wish(requirement->name, requirement->versions, at, label);
}

base::Result<void> Collector::wish(const std::string& name, const std::string& versions, const base::Position& at, const std::string& label) {
    if (base::lower(name) == "python") return python(versions, at);
    const bool labelled = versions.find('+') != std::string::npos;
    found_.specs.push_back({name + versions, labelled ? std::string() : label, at});
    return {};
}

base::Result<void> Collector::require_conda(std::string_view text, const base::Position& at) {
    const auto spec = parse_conda_spec(text);
    if (spec) return wish(spec->name, spec->versions, at, spec->label);
    note(at, "`" + base::printable(text) + "` is left out: " + spec.error().message);
    return {};
}

bool Collector::drop(std::string_view name) {
    const auto is_it = [wanted = normal_name(name)](const Wish& wish) { return normal_name(std::string_view(wish.text).substr(0, wish.text.find_first_of("=<>!~[ "))) == wanted; };
    return std::erase_if(found_.specs, is_it) > 0;
}

base::Result<void> Collector::python(const std::string& versions, const base::Position& at) {
    if (versions.empty()) return {};
    using version::VersionSet;
    const auto set = VersionSet::parse(version::Scheme::pep440, versions);
    if (!set) return wrong(at, "the Python: " + set.error().message, "write it as a set of versions, such as >=3.10,<3.14");
    std::string all = versions;
    if (found_.python) {
        const auto both = *set & *VersionSet::parse(version::Scheme::pep440, found_.python->text);
        if (both.empty())
            return wrong(at, "Python " + base::printable(versions) + " contradicts " + base::printable(found_.python->text) + " of " + to_string(found_.python->at), "change one of them");
        all = both.to_string();
    }
    found_.python = {std::move(all), found_.python ? found_.python->at : at};
    return {};
}

void Collector::note(const base::Position& at, std::string text) {
    if (noted_.insert(text).second) found_.notes.push_back({std::move(text), at});
}

void Collector::label(std::size_t first, const std::string& label) {
    for (std::size_t i = first; i < found_.specs.size(); ++i)
        if (found_.specs[i].label.empty() && found_.specs[i].text.find('+') == std::string::npos) found_.specs[i].label = label;
}

}  // namespace vmatrix::inputs
