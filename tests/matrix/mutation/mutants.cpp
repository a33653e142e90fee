#include "mutants.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "beside.hpp"
#include "compat/facts.hpp"
#include "known_versions.hpp"

namespace mutation {
namespace {

using vmatrix::model::Entry;
using vmatrix::model::Fact;
using vmatrix::model::Matrix;
using vmatrix::model::Value;
using vmatrix::version::Version;

/// What is done to a field.
enum class Change {
    word,        ///< another of its words
    flag,        ///< true is false
    items,       ///< one goes, the next ..
    items_of,    ///< the same in a map of lists
    set,         ///< a bound of a version set moves; the component is the one named
    sets,        ///< the same in a map of components
    version,     ///< the version moves
    versions     ///< the same in a map of components
};

struct Decisive {
    std::string_view kind, field;
    Change change;
    std::string_view component = {};   ///< whose versions they are, where the fact does not say
};

/// What rules read, by kind. A kind with an entry can also lose whole facts.
constexpr std::array decisive{
    Decisive{"generation", "drivers", Change::sets},
    Decisive{"generation", "open-kernel-module", Change::word},
    Decisive{"driver-branch", "cuda", Change::version, "cuda"},
    Decisive{"driver-branch", "latest", Change::version},
    Decisive{"release", "bundles", Change::versions},
    Decisive{"release", "boards", Change::items},
    Decisive{"build", "accelerator", Change::word},
    Decisive{"build", "bundles", Change::versions},
    Decisive{"build", "companions", Change::versions},
    Decisive{"build", "requires", Change::sets},
    Decisive{"build", "compiled", Change::flag},
    Decisive{"build", "architectures", Change::items},
    Decisive{"build", "architectures-on", Change::items_of},
    Decisive{"build", "ptx", Change::items},
    Decisive{"build", "ptx-on", Change::items_of},
    Decisive{"build", "python", Change::items},
    Decisive{"build", "experimental-python", Change::items},
    Decisive{"build", "experimental-python-on", Change::items_of},
    Decisive{"build", "platforms", Change::items},
    Decisive{"rule", "when", Change::sets},
    Decisive{"rule", "requires", Change::sets},
    Decisive{"rule", "evidence", Change::word},
    Decisive{"target", "of", Change::sets},
    Decisive{"target", "architectures", Change::items},
    Decisive{"target", "compute-capability", Change::set, "compute-capability"},
    Decisive{"target", "complete", Change::flag},
    Decisive{"gpu-support", "of", Change::sets},
    Decisive{"gpu-support", "gpus", Change::items},
    Decisive{"gpu-support", "status", Change::word},
    Decisive{"gpu-support", "os", Change::items},
    Decisive{"gpu-support", "not-os", Change::items},
    Decisive{"os-support", "of", Change::sets},
    Decisive{"os-support", "os", Change::items},
    Decisive{"os-support", "kernels", Change::items},
    Decisive{"os-support", "status", Change::word},
    Decisive{"override", "architectures", Change::items},
    Decisive{"override", "platforms", Change::items},
    Decisive{"override", "status", Change::word},
    Decisive{"driver-kernel", "works-to", Change::version, "kernel"},
    Decisive{"driver-kernel", "fails-from", Change::version, "kernel"},
    Decisive{"forward-compatibility", "cuda", Change::version, "cuda"},
    Decisive{"forward-compatibility", "image-check", Change::items_of},
    Decisive{"issue", "severity", Change::word},
    Decisive{"issue", "when", Change::sets},
    Decisive{"issue", "vendors", Change::items},
    Decisive{"issue", "architectures", Change::items},
    Decisive{"issue", "gpus", Change::items},
    Decisive{"issue", "classes", Change::items},
    Decisive{"issue", "cards", Change::set, "cards"},
    Decisive{"issue", "os", Change::items},
    Decisive{"issue", "platforms", Change::items},
    Decisive{"issue", "wsl", Change::flag},
    Decisive{"issue", "images", Change::items},
    Decisive{"issue", "environment", Change::items},
    Decisive{"issue", "not-environment", Change::items},
    Decisive{"platform-tag", "least-libc", Change::version, "glibc"},
    Decisive{"platform-tag", "libc", Change::word},
    Decisive{"os-release", "bundles", Change::versions},
    Decisive{"os-release", "libc", Change::word},
    Decisive{"os-release", "python", Change::version, "python"},
    Decisive{"python-release", "version", Change::word},
    Decisive{"image", "bundles", Change::versions},
    Decisive{"image", "requires", Change::sets},
    Decisive{"image", "architectures", Change::items},
    Decisive{"image", "architectures-on", Change::items_of},
    Decisive{"image", "ptx", Change::items},
    Decisive{"image", "platforms", Change::items},
    Decisive{"image", "python", Change::version, "python"},
    Decisive{"image", "status", Change::word},
};

/// Libraries inside that no answer but one about their known issues turns on are no bounds.
bool is_read(const Fact& fact, std::string_view field, std::string_view component) {
    if (field != "bundles") return true;
    if (fact.kind->name == "build") return component == fact.text("accelerator") || component == "cudnn";
    if (fact.kind->name == "os-release") return component == "glibc";
    if (fact.kind->name == "release") return component == "nvidia" || component == "nvidia-windows" || (fact.text("component") == "jetpack" && component == "cuda");
    return component == "cuda" || component == "rocm" || component == "torch";
}

class Maker {
public:
    explicit Maker(const Matrix& matrix) : matrix_(matrix), versions_(matrix), beside_(matrix) {}

    std::vector<Mutant> make() {
        for (const Fact& fact : matrix_.facts()) {
            const auto* const first = std::ranges::find(decisive, fact.kind->name, &Decisive::kind);
            if (first == decisive.end()) continue;
            if (may_go(fact)) deletion(fact);
            for (const Decisive& what : decisive)
                if (const Value* value = what.kind == fact.kind->name ? fact.find(what.field) : nullptr) field(fact, what, *value);
        }
        share_places();
        return std::move(mutants_);
    }

private:
    /// A release that holds neither builds nor anything that rules read is a number in a list.
    bool may_go(const Fact& fact) const { return fact.kind->name != "release" || !matrix_.nested(fact).empty() || fact.text("component") == "cuda" || fact.text("component") == "jetpack"; }

    void deletion(const Fact& fact) {
        Mutant mutant{fact.id + ": gone", std::string(fact.kind->name), {&fact}, {}, {}, {}, {}, {}};
        for (const Fact* nested : matrix_.nested(fact)) mutant.facts.push_back(nested);
        mutants_.push_back(std::move(mutant));
        places_.emplace_back();
    }

    void add(const Fact& fact, const Decisive& what, const std::string& key, const Value& at, std::optional<std::string> item, const std::string& text) {
        const std::string name = fact.id + ": " + std::string(what.field) + (key.empty() ? "" : "." + key) + (item ? " without " + *item : " " + at.text + " is " + text);
        mutants_.push_back({name, std::string(fact.kind->name), {&fact}, std::string(what.field), key, std::move(item), text, {}});
        places_.emplace_back(fact.at.file, at.line, at.column);
    }

    void field(const Fact& fact, const Decisive& what, const Value& value) {
        const auto component_of = [&] { return what.component.empty() ? fact.text("component") : what.component; };
        switch (what.change) {
            case Change::word: words(fact, what, value); break;
            case Change::flag: add(fact, what, "", value, {}, value.text == "true" ? "false" : "true"); break;
            case Change::items: items(fact, what, "", value); break;
            case Change::items_of: for (const auto& [key, list] : value.members) items(fact, what, key, list); break;
            case Change::set: moved(fact, what, "", value, std::string(what.component)); break;
            case Change::sets: for (const auto& [key, set] : value.members) if (is_read(fact, what.field, key)) moved(fact, what, key, set, key); break;
            case Change::version: moved_version(fact, what, "", value, std::string(component_of())); break;
            case Change::versions: for (const auto& [key, version] : value.members) if (is_read(fact, what.field, key)) moved_version(fact, what, key, version, key); break;
        }
    }

    void words(const Fact& fact, const Decisive& what, const Value& value) {
        for (const std::string_view word : fact.kind->field(what.field)->words)
            if (word != value.text) add(fact, what, "", value, {}, std::string(word));
    }

    void items(const Fact& fact, const Decisive& what, const std::string& key, const Value& list) {
        for (const Value& item : list.items) {
            add(fact, what, key, item, item.text, {});
            if (fact.kind->name == "build" || fact.kind->name == "image") mutants_.back().argued = what.field.starts_with("ptx") ? compiled_too(item.text, list) : what.field.starts_with("architectures") ? covered(item.text, list) : "";
        }
    }

    /// The compute capability of an architecture that other cards can stand in for.
    std::string number(const std::string& id) const {
        const Fact* architecture = matrix_.find("architecture", id);
        return architecture && architecture->text("embedded") != "true" ? std::string(architecture->text("compute-capability")) : std::string();
    }

    /// PTX for an older card is compiled for the same cards and more.
    std::string compiled_too(const std::string& ptx, const Value& list) const {
        const auto older = [&](const Value& other) { return !number(other.text).empty() && known_less(number(other.text), number(ptx)); };
        return !number(ptx).empty() && std::ranges::any_of(list.items, older) ? "PTX for an older card is listed too, and the driver compiles it for the same cards." : "";
    }

    /// Code for an older one of the same major runs on the card too, so that nobody can tell.
    std::string covered(const std::string& code, const Value& list) const {
        const std::string own = number(code);
        for (const Value& other : list.items) {
            const std::string instead = number(other.text);
            const auto major = instead.find('.');
            if (other.text != code && !own.empty() && major != std::string::npos && own.compare(0, major + 1, instead, 0, major + 1) == 0 && !known_less(own, instead))
                return "Code for an older card of the same major is listed too, and runs on it.";
        }
        return {};
    }

    void moved(const Fact& fact, const Decisive& what, const std::string& key, const Value& set, const std::string& component) {
        const bool by_builds = what.field == "requires" && fact.kind->name == "build" && beside_.decides(fact, component);
        for (const std::string& text : by_builds ? versions_.moved_sets(component, set.text, not_decided_before(fact, component)) : versions_.moved_sets(component, set.text))
            add(fact, what, key, set, {}, text);
    }
    /// Versions that can stand beside a build. Where it was compiled on a runtime, one of another major is broken whatever it says that it needs.
    std::vector<Version> not_decided_before(const Fact& build, const std::string& component) {
        std::vector<Version> versions = beside_.versions(build, component);
        const Value* own = component == "cuda" || component == "rocm" ? build.find("bundles", component) : nullptr;
        const auto runtime = own ? Version::parse(vmatrix::version::Scheme::dotted, own->text) : vmatrix::base::fail("");
        if (runtime) std::erase_if(versions, [&](const Version& version) { return how_alike(version, *runtime) == 0; });
        return versions;
    }

    void moved_version(const Fact& fact, const Decisive& what, const std::string& key, const Value& version, const std::string& component) {
        for (const std::string& text : versions_.neighbours(component, version.text, KnownVersions::Exactness::as_written, meets_another_runtime(fact, what, component, version.text)))
            add(fact, what, key, version, {}, text);
    }

    /// Of the runtime that a package was compiled with, what counts is how it agrees with that of the builds which it needs.
    std::function<bool(const Version&)> meets_another_runtime(const Fact& fact, const Decisive& what, const std::string& component, const std::string& written) {
        const auto own = Version::parse(vmatrix::version::Scheme::dotted, written);
        if (!own || what.field != "bundles" || fact.kind->name != "build" || (component != "cuda" && component != "rocm") || !beside_.decides(fact, component)) return nullptr;
        std::vector<Version> beside = beside_.versions(fact, component);
        if (fact.find("requires", component)) std::erase_if(beside, [&](const Version& version) { return !vmatrix::compat::set_holds(fact, "requires", component, version); });
        return [own = *own, beside = std::move(beside)](const Version& other) {
            return std::ranges::any_of(beside, [&](const Version& version) { return how_alike(version, own) != how_alike(version, other); });
        };
    }

    /// 2: the same but for the patch, as far as both say; 1: of one major.
    static int how_alike(const Version& one, const Version& other) {
        const Version minor = *vmatrix::compat::dotted("0.0");
        const auto major = [](const Version& version) { return version.canonical().substr(0, version.canonical().find('.')); };
        return vmatrix::compat::agree(vmatrix::compat::cut(one, minor), vmatrix::compat::cut(other, minor)) ? 2 : major(one) == major(other) ? 1 : 0;
    }

    /// A value that several facts have from one place of a file changes in all of them.
    void share_places() {
        std::map<std::tuple<std::string, std::size_t, std::size_t, std::string>, std::size_t> first;
        std::vector<Mutant> kept;
        for (std::size_t i = 0; i < mutants_.size(); ++i) {
            const auto& [file, line, column] = places_[i];
            Mutant& mutant = mutants_[i];
            const auto [entry, fresh] = first.try_emplace({file, line, column, mutant.item ? "" : mutant.text}, kept.size());
            if (fresh || mutant.field.empty()) kept.push_back(std::move(mutant));
            else kept[entry->second].facts.push_back(mutant.facts.front());
        }
        mutants_ = std::move(kept);
    }

    const Matrix& matrix_;
    KnownVersions versions_;
    Beside beside_;
    std::vector<Mutant> mutants_;
    std::vector<std::tuple<std::string, std::size_t, std::size_t>> places_;
};

Value* find(std::vector<Entry>& entries, const std::string& name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? nullptr : &found->value;
}

}  // namespace

std::vector<Mutant> all_mutants(const Matrix& matrix) { return Maker(matrix).make(); }

std::optional<Fact> changed(const Fact& fact, const Mutant& mutant) {
    if (mutant.field.empty()) return std::nullopt;
    Fact copy = fact;
    Value* value = find(copy.fields.all(), mutant.field);
    if (!mutant.key.empty()) value = find(value->members, mutant.key);
    if (mutant.item) std::erase_if(value->items, [&](const Value& item) { return item.text == *mutant.item; });
    else value->text = mutant.text;
    return copy;
}

}  // namespace mutation
