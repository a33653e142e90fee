#include "app/input_files.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/text.hpp"
#include "compat/builds.hpp"
#include "compat/candidates.hpp"
#include "compat/facts.hpp"
#include "compat/host.hpp"
#include "compat/resolve.hpp"
#include "sys/files.hpp"
#include "version/version_set.hpp"

namespace vmatrix::app {
namespace {

using compat::Request;
using compat::Spec;
using inputs::Inputs;
using inputs::Statement;
using model::Fact;
using model::Matrix;
using version::Scheme;
using version::Version;
using version::VersionSet;

constexpr std::string_view standard_input = "-";

tl::unexpected<base::Error> contradiction(const base::Position& at, const std::string& asked, const std::string& other) {
    return base::fail(to_string(at) + ": `" + base::printable(asked) + "` contradicts " + other, "change one of them", base::ErrorKind::usage);
}

base::Result<std::vector<Inputs>> read_texts(const std::vector<std::string>& names, const std::vector<std::string>& texts, const std::optional<std::string>& python) {
    std::vector<Inputs> files;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto read = inputs::read_inputs(names[i], texts[i], python);
        if (!read) return tl::make_unexpected(read.error());
        files.push_back(std::move(*read));
    }
    return files;
}

/// "==3.11.*" and "==3.11" are 3.11; nothing for a set that leaves several.
std::optional<std::string> one_python(const std::string& versions) {
    if (!versions.starts_with("==")) return std::nullopt;
    std::string version = versions.substr(2);
    if (version.ends_with(".*")) version.resize(version.size() - 2);
    const bool numbers = version.find_first_not_of("0123456789.") == std::string::npos && version.find('.') != std::string::npos;
    return numbers ? std::optional(std::move(version)) : std::nullopt;
}

/// Whether a set has a version that begins with this one: 3.12 is in >=3.12.4.
bool allows(const VersionSet& set, const std::string& python) {
    const auto all = VersionSet::parse(Scheme::pep440, "==" + python + ".*");
    return all && set.intersects(*all);
}

base::Result<void> join_python(InputFiles& inputs, const Statement& python) {
    if (!inputs.python) {
        inputs.python = python;
        return {};
    }
    const auto a = VersionSet::parse(Scheme::pep440, inputs.python->text), b = VersionSet::parse(Scheme::pep440, python.text);
    if (!a || !b) return {};   // the reader of the file has parsed them
    if (!a->intersects(*b)) return contradiction(python.at, "Python " + python.text, "Python " + inputs.python->text + " of " + to_string(inputs.python->at));
    const auto names_one = [](const Statement& statement, const VersionSet& other) { return one_python(statement.text) && allows(other, *one_python(statement.text)); };
    if (b->subset_of(*a) || names_one(python, *a)) inputs.python = python;   // 3.9 of `==3.9.*` has pre-releases that `>=3.9` lacks
    else if (!a->subset_of(*b) && !names_one(*inputs.python, *b)) inputs.python->text = (*a & *b).to_string();
    return {};
}

base::Result<void> take_python(Request& request, InputFiles& inputs) {
    for (const Inputs& file : inputs.files)
        if (file.python)
            if (auto joined = join_python(inputs, *file.python); !joined) return joined;
    if (!inputs.python) return {};
    if (request.python) {
        const auto set = VersionSet::parse(Scheme::pep440, inputs.python->text);
        if (set && !allows(*set, *request.python))
            inputs.notes.push_back("--python " + base::printable(*request.python) + " is taken, though " + to_string(inputs.python->at) + " asks for Python " + inputs.python->text);
        inputs.python.reset();
    } else if (auto one = one_python(inputs.python->text)) {
        request.python = std::move(*one);
        inputs.python.reset();
    }
    return {};
}

base::Result<void> take_image(Request& request, InputFiles& inputs) {
    const Statement* taken = nullptr;
    for (const Inputs& file : inputs.files) {
        if (!file.image) continue;
        if (taken && taken->text != file.image->text) return contradiction(file.image->at, "image " + file.image->text, "the image " + base::printable(taken->text) + " of " + to_string(taken->at));
        taken = &*file.image;
    }
    if (!taken) return {};
    if (request.image && *request.image != taken->text) inputs.notes.push_back("--image " + base::printable(*request.image) + " is taken, though " + to_string(taken->at) + " has " + base::printable(taken->text));
    if (!request.image) request.image = taken->text;
    return {};
}

/// The component that installs under this name; the name itself where none does.
std::string component_of(const Matrix& matrix, const std::string& name) {
    if (matrix.find("component", name)) return name;
    for (const Fact* component : matrix.of("component"))
        for (const std::string_view field : {"packages", "aliases"})
            if (compat::lists(component->find(field), name)) return component->id;
    return name;
}

/// "nvidia-cublas-cu12" is for CUDA 12, "pytorch-triton-rocm" for ROCm.
std::optional<Spec> runtime_of_name(const Matrix& matrix, const std::string& package) {
    for (const Fact* component : matrix.of("component"))
        for (const std::string& ending : compat::texts(component->find("endings"))) {
            if (!package.ends_with("-" + ending)) continue;
            const auto digits = std::min(ending.find_first_of("0123456789"), ending.size());
            const std::string versions = digits == ending.size() ? "" : "==" + ending.substr(digits) + ".*";
            return Spec{component->id + versions, component->id, versions};
        }
    return std::nullopt;
}

/// The releases of a runtime that bundle this version of a part, down to their minor version: cudart 12.4.127 is of CUDA 12.4.
std::optional<Spec> runtime_of_part(const Matrix& matrix, const Fact& part, const Spec& spec) {
    const std::string runtime(part.text("tells"));
    const auto version = runtime.empty() ? std::nullopt : compat::exact_version(spec, Scheme::dotted);
    if (!version) return std::nullopt;
    for (const auto& [number, release] : compat::releases_of(matrix, runtime, Scheme::dotted)) {
        const model::Value* inside = release->find("bundles", part.id);
        if (!inside || compat::dotted(inside->text) != version) continue;
        const std::string versions = "==" + compat::cut(number, *compat::dotted("0.0")).str() + ".*";
        return Spec{runtime + versions, runtime, versions};
    }
    return std::nullopt;
}

/// Puts the wishes of files and of the command line together.
class Wishes {
public:
    Wishes(const Matrix& matrix, Request& request, InputFiles& inputs) : matrix_(matrix), request_(request), inputs_(inputs) {
        for (const Spec& spec : request.specs) origins_[spec.name] = "the command line";
    }

    base::Result<void> take_all() {
        for (const Inputs& file : inputs_.files) {
            const bool framework = std::ranges::any_of(file.specs, [&](const inputs::Wish& wish) { return is_framework(wish); });
            for (const inputs::Wish& wish : file.specs)
                if (auto taken = take(wish, framework); !taken) return taken;
        }
        if (auto taken = take_runtime(); !taken) return taken;
        constexpr std::size_t shown = 5;
        if (unknown_.empty()) return {};
        const std::vector<std::string> first(unknown_.begin(), std::next(unknown_.begin(), static_cast<std::ptrdiff_t>(std::min(shown, unknown_.size()))));
        const std::string more = unknown_.size() > shown ? " and " + std::to_string(unknown_.size() - shown) + " others" : "";
        inputs_.notes.push_back("the matrix does not know " + base::join(first, ", ") + more + ": nothing is said about " + (unknown_.size() > 1 ? "them" : "it"));
        return {};
    }

private:
    struct MadeFor {
        Spec runtime, package;
        bool only = false;   ///< the package says nothing else that the matrix knows
        base::Position at;
    };

    bool is_framework(const inputs::Wish& wish) {
        const auto spec = compat::parse_spec(wish.text);
        return spec && has_builds(component_of(matrix_, spec->name));
    }

    bool has_builds(const std::string& component) {
        const auto [known, fresh] = has_builds_.try_emplace(component, false);
        if (fresh) known->second = matrix_.find("component", component) && compat::has_builds(matrix_, component);
        return known->second;
    }

    /// Whether releases of a framework have one of this package each, of the same builds.
    [[nodiscard]] bool is_companion(const std::string& component) const {
        return std::ranges::any_of(matrix_.of("release"), [&](const Fact* release) { return release->find("companions", component) != nullptr; });
    }

    base::Result<void> take(const inputs::Wish& wish, bool framework_in_file) {
        auto spec = compat::parse_spec(wish.text);
        if (!spec) return base::fail(to_string(wish.at) + ": " + spec.error().message, spec.error().hint);
        const std::string component = component_of(matrix_, spec->name);
        const Fact* known = matrix_.find("component", component);
        if (note_runtime(*spec, known, wish.at)) return {};
        if (!known) {
            unknown_.insert(spec->name);
            return {};
        }
        if (component != spec->name) spec = Spec{component + spec->versions, component, spec->versions};
        if (!wish.label.empty() && (has_builds(component) || (!framework_in_file && is_companion(component))))
            if (auto bound = bind_to(wish.label, *spec, wish.at); !bound) return bound;
        return merge(std::move(*spec), wish.at);
    }

    /// Remembers the runtime that a package is made for. True if that is all that it says.
    bool note_runtime(const Spec& spec, const Fact* component, const base::Position& at) {
        const auto of_part = component ? runtime_of_part(matrix_, *component, spec) : std::nullopt;
        const auto runtime = of_part ? of_part : runtime_of_name(matrix_, spec.name);
        if (!runtime) return false;
        const bool only = !component || component->find("tells");
        runtimes_.insert(of_part ? runtimes_.begin() : runtimes_.end(), {*runtime, spec, only, at});
        return only;
    }

    /// Packages that are made for a runtime ask for builds on it, where nothing else tells the build.
    base::Result<void> take_runtime() {
        const bool told = std::ranges::any_of(request_.specs, [](const Spec& spec) { return compat::is_runtime(spec) || spec.versions.find('+') != std::string::npos; });
        if (told || std::ranges::none_of(request_.specs, [&](const Spec& spec) { return has_builds(spec.name); })) {
            for (const MadeFor& made : runtimes_)
                if (made.only) unknown_.insert(made.package.name);
            return {};
        }
        return runtimes_.empty() ? base::Result<void>{} : take_runtime_of(runtimes_.front());
    }

    base::Result<void> take_runtime_of(const MadeFor& first) {
        const Spec& runtime = first.runtime;
        const auto versions = compat::read_versions(runtime, Scheme::dotted);
        for (const MadeFor& other : runtimes_) {
            const auto others = compat::read_versions(other.runtime, Scheme::dotted);
            if (other.runtime.name == runtime.name && versions && others && versions->intersects(*others)) continue;
            inputs_.notes.push_back(to_string(other.at) + ": " + base::printable(other.package.text) + " is for " + other.runtime.text + ", " + base::printable(first.package.text) + " for " + runtime.text + ": builds for either are taken");
            return {};
        }
        inputs_.notes.push_back(to_string(first.at) + ": builds for " + runtime.text + " are wanted, as " + base::printable(first.package.text) + " is for it");
        request_.of_framework = true;
        return merge(runtime, first.at);
    }

    /// The index of a file has the builds of one runtime: an exact version gets their label, else that runtime is a wish.
    base::Result<void> bind_to(const std::string& label, Spec& spec, const base::Position& at) {
        const auto version = has_builds(spec.name) ? compat::exact_version(spec, Scheme::pep440) : std::nullopt;
        if (version && may_be_built(spec.name, *version, label)) {
            spec.versions += "+" + label;
            spec.text += "+" + label;
            return {};
        }
        const auto runtime = version ? std::nullopt : compat::runtime_of_label(label);
        if (!runtime) {
            inputs_.notes.push_back(to_string(at) + ": " + spec.text + " is not bound to builds for " + base::printable(label) + (version ? ": the matrix knows none" : ": name one version for that"));
            return {};
        }
        request_.of_framework = true;
        const std::string versions = "==" + runtime->version.str() + ".*";
        return merge({runtime->component + versions, runtime->component, versions}, at);
    }

    /// Whether a release has a build of this label, as far as the matrix knows it.
    [[nodiscard]] bool may_be_built(const std::string& package, const Version& version, const std::string& label) const {
        bool known = false;
        for (const Fact* build : matrix_.of("build")) {
            const Fact* release = matrix_.find("release", build->parent);
            if (!release || release->text("component") != package) continue;
            const auto other = Version::parse(Scheme::pep440, release->text("version"));
            if (!other || *other != version) continue;
            if (build->text("build") == label) return true;
            known = true;
        }
        return !known;
    }

    base::Result<void> merge(Spec spec, const base::Position& at) {
        const auto same = std::ranges::find(request_.specs, spec.name, &Spec::name);
        if (same == request_.specs.end()) {
            origins_[spec.name] = to_string(at);
            request_.specs.push_back(std::move(spec));
            return {};
        }
        const auto scheme = matrix_.scheme(spec.name).value_or(Scheme::pep440);
        const auto a = compat::read_versions(*same, scheme), b = compat::read_versions(spec, scheme);
        if (!a) return tl::make_unexpected(a.error());
        if (!b) return base::fail(to_string(at) + ": " + b.error().message, b.error().hint);
        if (!a->intersects(*b)) return contradiction(at, spec.text, "`" + base::printable(same->text) + "` of " + origins_[spec.name]);
        if (a->subset_of(*b)) return {};
        if (!b->subset_of(*a)) {
            spec.versions = (*a & *b).to_string();
            spec.text = spec.name + spec.versions;
        }
        origins_[spec.name] = to_string(at);
        *same = std::move(spec);
        return {};
    }

    const Matrix& matrix_;
    Request& request_;
    InputFiles& inputs_;
    std::map<std::string, std::string> origins_;   ///< where the wish for a package is from
    std::vector<MadeFor> runtimes_;                ///< that packages are made for, those that tell its release first
    std::set<std::string> unknown_;
    std::map<std::string, bool> has_builds_;       ///< of components; a file may name one on every line
};

/// The Pythons of the matrix that a set allows, newest first.
std::vector<std::string> pythons_in(const Matrix& matrix, const VersionSet& set) {
    std::vector<Version> versions;
    for (const Fact* release : matrix.of("python-release"))
        if (auto version = Version::parse(Scheme::pep440, release->text("version")); version && allows(set, version->str())) versions.push_back(std::move(*version));
    std::ranges::sort(versions, [](const Version& a, const Version& b) { return a > b; });
    std::vector<std::string> texts;
    for (const Version& version : versions) texts.push_back(version.str());
    return texts;
}

/// The Python of the best stack on every host; nothing where a host has no stack.
std::optional<std::vector<std::string>> pythons_of_answers(const Matrix& matrix, const std::vector<compat::Host>& hosts, const Request& request) {
    std::vector<std::string> pythons;
    for (const compat::Host& host : hosts) {
        const auto answer = compat::resolve(matrix, host, request, 0);
        if (!answer || answer->stacks.empty()) return std::nullopt;
        const auto& components = answer->stacks.front().components;
        if (const auto python = components.find("python"); python != components.end()) pythons.push_back(python->second);
    }
    return pythons;
}

}  // namespace

base::Result<InputFiles> read_input_files(const std::vector<std::string>& named, Request& request) {
    if (std::ranges::count(named, standard_input) > 1) return base::fail("--from " + std::string(standard_input) + " is given twice, and standard input can be read once", {}, base::ErrorKind::usage);
    std::vector<std::string> names, texts;
    for (const std::string& name : named) {
        const bool piped = name == standard_input;
        auto text = piped ? sys::read_standard_input(inputs::max_bytes) : sys::read_file(name, inputs::max_bytes);
        if (!text) return tl::make_unexpected(text.error());
        names.push_back(piped ? "standard input" : name);
        texts.push_back(std::move(*text));
    }
    InputFiles inputs;
    auto files = read_texts(names, texts, request.python);
    if (!files) return tl::make_unexpected(files.error());
    inputs.files = std::move(*files);
    const bool known = request.python.has_value();
    if (auto taken = take_python(request, inputs); !taken) return tl::make_unexpected(taken.error());
    if (auto taken = take_image(request, inputs); !taken) return tl::make_unexpected(taken.error());
    if (!known && request.python) {   // now markers can be told
        files = read_texts(names, texts, request.python);
        if (!files) return tl::make_unexpected(files.error());
        inputs.files = std::move(*files);
    }
    for (const Inputs& file : inputs.files)
        for (const Statement& note : file.notes) inputs.notes.push_back(to_string(note.at) + ": " + note.text);
    return inputs;
}

base::Result<void> take_wishes(const Matrix& matrix, Request& request, InputFiles& inputs) { return Wishes(matrix, request, inputs).take_all(); }

void choose_python(const Matrix& matrix, Request& request, InputFiles& inputs) {
    if (!inputs.python || request.python) return;
    const auto set = VersionSet::parse(Scheme::pep440, inputs.python->text);
    const auto hosts = compat::read_hosts(matrix, request);
    if (!set || !hosts) return;   // the answer will say why
    const auto free = pythons_of_answers(matrix, *hosts, request);
    if (free && std::ranges::all_of(*free, [&](const std::string& python) { return allows(*set, python); })) return;
    const auto allowed = pythons_in(matrix, *set);
    const std::string asked = to_string(inputs.python->at) + ": Python " + inputs.python->text;
    if (allowed.empty()) {
        inputs.notes.push_back(asked + " is none that the matrix knows: the answer may be for another one");
        return;
    }
    const auto works = std::ranges::find_if(allowed, [&](const std::string& python) {
        Request narrower = request;
        narrower.python = python;
        return pythons_of_answers(matrix, *hosts, narrower).has_value();
    });
    request.python = works == allowed.end() ? allowed.front() : *works;
    inputs.notes.push_back(asked + " is wanted: " + *request.python + " is the newest of those " + (works == allowed.end() ? "that the matrix knows" : "with a stack"));
}

}  // namespace vmatrix::app
