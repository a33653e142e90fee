#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <map>
#include <string>

#include "base/text.hpp"
#include "inputs/kinds.hpp"
#include "inputs/poetry_versions.hpp"
#include "inputs/requirement.hpp"
#include "inputs/toml_text.hpp"

namespace vmatrix::inputs {
namespace {

std::string quoted(std::string_view text) { return "`" + base::printable(text) + "`"; }

class Pyproject {
public:
    Pyproject(const toml::table& root, Collector& found) : root_(root), found_(found) {}

    base::Result<void> read() {
        read_indexes();
        read_sources();
        if (auto done = read_project(); !done) return done;
        if (auto done = read_poetry(); !done) return done;
        if (!said_something_) found_.note(found_.at(1, 1), "neither [project] nor [tool.poetry] has dependencies or a Python");
        return {};
    }

private:
    [[nodiscard]] base::Position at(const toml::node& node) const {
        const auto& begin = node.source().begin;
        return found_.at(begin.line, begin.column);
    }
    [[nodiscard]] base::Position at(const toml::key& key) const { return found_.at(key.source().begin.line, key.source().begin.column); }
    static std::string text(const toml::node* node) {
        const auto value = node ? node->value<std::string>() : std::optional<std::string>();
        return value.value_or("");
    }
    [[nodiscard]] tl::unexpected<base::Error> expected(const toml::node& node, const std::string& what) const {
        return wrong(at(node), "expected " + what, "see the specification of pyproject.toml");
    }

    /// An index has a name by which sources name it. Of uv only one that is not `explicit` serves all packages.
    void read_indexes() {
        for (const char* path : {"tool.uv.index", "tool.poetry.source"}) {
            const toml::array* list = root_.at_path(path).as_array();
            if (!list) continue;
            for (const toml::node& entry : *list)
                if (const toml::table* table = entry.as_table()) read_index(*table);
        }
        for (const char* path : {"tool.uv.index-url", "tool.uv.pip.index-url"})
            if (const auto node = root_.at_path(path)) serve_all(label_of_index(text(node.node())), *node.node());
        for (const char* path : {"tool.uv.extra-index-url", "tool.uv.pip.extra-index-url"})
            if (const toml::array* list = root_.at_path(path).as_array())
                for (const toml::node& entry : *list) serve_all(label_of_index(text(&entry)), entry);
    }

    void read_index(const toml::table& table) {
        const std::string label = label_of_index(text(table.get("url")));
        if (label.empty()) return;
        labels_[text(table.get("name"))] = label;
        const bool apart = table["explicit"].value_or(false) || text(table.get("priority")) == "explicit";
        if (!apart) serve_all(label, table);
    }

    void serve_all(const std::string& label, const toml::node& node) {
        if (label.empty()) return;
        if (label_.empty()) label_ = label;
        found_.note(at(node), label == label_ ? "builds are taken to be " + label + ", as an index says" : "the index of " + label + " is left out: that of " + label_ + " stands before it");
    }

    void read_sources() {
        const toml::table* sources = root_.at_path("tool.uv.sources").as_table();
        if (!sources) return;
        for (const auto& [name, source] : *sources) {
            if (const toml::table* one = source.as_table()) {
                read_source(name, *one);
            } else if (const toml::array* list = source.as_array(); list && !list->empty()) {
                const toml::table* only = list->size() == 1 ? list->front().as_table() : nullptr;
                if (only) read_source(name, *only);
                else found_.note(at(name), "the sources of " + base::printable(name.str()) + " are left out: markers and extras choose among them");
            }
        }
    }

    void read_source(const toml::key& name, const toml::table& source) {
        const auto label = labels_.find(text(source.get("index")));
        if (label == labels_.end()) {
            found_.note(at(name), "the source of " + base::printable(name.str()) + " is left out: it tells no CUDA or ROCm");
            return;
        }
        label_of_package_[normal_name(name.str())] = label->second;
        found_.note(at(name), base::printable(name.str()) + " is taken to be built for " + label->second + ", as its index says");
    }

    [[nodiscard]] std::string label_for(std::string_view name) const {
        const auto own = label_of_package_.find(normal_name(name));
        return own == label_of_package_.end() ? label_ : own->second;
    }

    base::Result<void> read_project() {
        const auto project = root_["project"];
        if (const toml::node* python = project["requires-python"].node()) {
            if (!python->is_string()) return expected(*python, "a text such as \">=3.10\" for requires-python");
            said_something_ = true;
            if (auto read = found_.python(text(python), at(*python)); !read) return read;
        }
        if (const toml::node* dependencies = project["dependencies"].node())
            if (auto read = read_list(*dependencies); !read) return read;
        if (const toml::array* dynamic = project["dynamic"].as_array())
            for (const toml::node& entry : *dynamic)
                if (text(&entry) == "dependencies") found_.note(at(entry), "the dependencies are dynamic: another file has them");
        note_groups(project["optional-dependencies"].as_table());
        note_groups(root_["dependency-groups"].as_table());
        note_groups(root_.at_path("tool.poetry.group").as_table());
        return {};
    }

    void note_groups(const toml::table* groups) {
        if (!groups) return;
        for (const auto& [name, group] : *groups) found_.note(at(name), "the group " + quoted(name.str()) + " is not read: only what is always installed");
    }

    base::Result<void> read_list(const toml::node& list) {
        const toml::array* entries = list.as_array();
        if (!entries) return expected(list, "a list of requirements");
        said_something_ = true;
        for (const toml::node& entry : *entries) {
            if (!entry.is_string()) return expected(entry, "a requirement such as \"torch>=2.6\"");
            const std::string requirement = text(&entry);
            const auto parsed = parse_requirement(requirement);
            if (auto read = found_.require(requirement, at(entry), parsed ? label_for(parsed->name) : std::string()); !read) return read;
        }
        return {};
    }

    base::Result<void> read_poetry() {
        const toml::node_view<const toml::node> node = root_.at_path("tool.poetry.dependencies");
        if (!node) return {};
        const toml::table* table = node.as_table();
        if (!table) return expected(*node.node(), "a table of dependencies");
        said_something_ = true;
        for (const auto& [name, value] : *table)
            if (auto read = read_poetry_entry(name, value); !read) return read;
        return {};
    }

    base::Result<void> read_poetry_entry(const toml::key& name, const toml::node& value) {
        if (value.is_string()) return poetry_wish(name, text(&value), label_for(name.str()));
        const toml::table* table = value.as_table();
        if (!table) {
            found_.note(at(name), base::printable(name.str()) + " is left out: its markers choose among several entries");
            return {};
        }
        if ((*table)["optional"].value_or(false)) {
            found_.note(at(name), base::printable(name.str()) + " is left out: it is optional");
            return {};
        }
        const auto source = labels_.find(text(table->get("source")));
        const std::string label = source == labels_.end() ? label_for(name.str()) : source->second;
        const std::string marker = text(table->get("markers"));
        if (const std::string address = text(table->get("url")); !address.empty())
            return found_.require(std::string(name.str()) + " @ " + address + (marker.empty() ? "" : " ; " + marker), at(name), label);
        if (table->get("git") || table->get("path")) {
            found_.note(at(name), base::printable(name.str()) + " is left out: its version is in another place");
            return {};
        }
        if (marker.empty()) return poetry_wish(name, text(table->get("version")), label);
        return found_.require(std::string(name.str()) + from_poetry(text(table->get("version"))) + " ; " + marker, at(name), label);
    }

    base::Result<void> poetry_wish(const toml::key& name, const std::string& versions, const std::string& label) {
        const std::string set = from_poetry(versions);
        if (name.str() == "python") return found_.python(set, at(name));
        return found_.require(std::string(name.str()) + set, at(name), label);
    }

    const toml::table& root_;
    Collector& found_;
    std::map<std::string, std::string> labels_;             ///< of indexes, by their name
    std::map<std::string, std::string> label_of_package_;
    std::string label_;                                      ///< of an index that serves all packages
    bool said_something_ = false;
};

}  // namespace

base::Result<void> read_pyproject(std::string_view text, Collector& found) {
    const auto safe = make_safe_toml(text, found);
    if (!safe) return tl::make_unexpected(safe.error());
    const toml::parse_result parsed = toml::parse(*safe, found.at(0, 0).file);
    if (!parsed) {
        const auto& begin = parsed.error().source().begin;
        return wrong(found.at(begin.line, begin.column), "not valid TOML: " + base::printable(parsed.error().description(), 200), "look at this line and the one before");
    }
    return Pyproject(parsed.table(), found).read();
}

}  // namespace vmatrix::inputs
