#include <algorithm>

#include "base/text.hpp"
#include "inputs/kinds.hpp"
#include "inputs/pip_lines.hpp"
#include "version/version.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::inputs {
namespace {

using yaml::Node;
using Form = Node::Form;

base::Position place(const Collector& found, const yaml::Place& at) { return found.at(at.line, at.column); }

tl::unexpected<base::Error> expected(const Collector& found, const Node& node, const std::string& what) {
    return wrong(place(found, node.at), "expected " + what, "look at the indentation, and for a missing dash or colon");
}

base::Result<void> read_pip_list(const Node& list, Collector& found) {
    if (list.form == Form::null) return {};
    if (list.form != Form::sequence) return expected(found, list, "a list of requirements of pip");
    PipLines lines(found);
    for (const Node& item : list.items) {
        if (item.form != Form::scalar) return expected(found, item, "a requirement of pip");
        if (auto added = lines.add(item.text, place(found, item.at)); !added) return added;
    }
    lines.finish();
    return {};
}

// ---- environment.yml of conda

base::Result<void> read_conda_item(const Node& item, Collector& found) {
    const auto at = place(found, item.at);
    if (item.form == Form::map) {
        for (const yaml::Member& member : item.members) {
            if (member.key != "pip") found.note(place(found, member.at), "`" + base::printable(member.key) + "` is left out: only pip is known below the dependencies");
            else if (auto read = read_pip_list(member.value, found); !read) return read;
        }
        return {};
    }
    if (item.form != Form::scalar) return expected(found, item, "a package such as numpy=1.26, or a list for pip");
    return found.require_conda(item.text, at);
}

base::Result<void> read_conda(const Node& dependencies, Collector& found) {
    if (dependencies.form == Form::null) return {};
    if (dependencies.form != Form::sequence) return expected(found, dependencies, "a list of dependencies");
    for (const Node& item : dependencies.items)
        if (auto read = read_conda_item(item, found); !read) return read;
    return {};
}

// ---- cog.yaml

/// `key: "12.4"` as `name` with exactly that version.
base::Result<void> read_exact(const Node& build, std::string_view key, const std::string& name, Collector& found) {
    const Node* value = build.find(key);
    if (!value || value->form == Form::null) return {};
    if (value->form != Form::scalar || !version::Version::parse(version::Scheme::pep440, value->text)) return expected(found, *value, "a version such as \"12.4\" for `" + std::string(key) + "`");
    return found.wish(name, "==" + value->text, place(found, value->at));
}

base::Result<void> read_cog(const Node& build, Collector& found) {
    if (build.form == Form::null) return {};
    if (build.form != Form::map) return expected(found, build, "a map below `build`");
    for (const auto& [key, name] : {std::pair("cuda", "cuda"), std::pair("cudnn", "cudnn"), std::pair("python_version", "python")})
        if (auto read = read_exact(build, key, name, found); !read) return read;
    if (const Node* packages = build.find("python_packages"))
        if (auto read = read_pip_list(*packages, found); !read) return read;
    if (const Node* gpu = build.find("gpu"); gpu && base::lower(gpu->text) == "false") found.note(place(found, gpu->at), "`gpu` is false: this asks for no card");
    if (const Node* file = build.find("python_requirements")) found.note(place(found, file->at), base::printable(file->text) + " is not read: name it with --from too");
    if (const Node* commands = build.find("run")) found.note(place(found, commands->at), "the commands of `run` are not read");
    return {};
}

}  // namespace

base::Result<void> read_yaml(std::string_view text, Collector& found) {
    base::Findings findings;
    const std::string file = found.at(0, 0).file;
    const auto root = yaml::parse(text, file, findings);
    if (findings.errors() > 0) {
        const auto first = findings.sorted().front();
        return wrong(first.at, first.message, first.hint);
    }
    if (root && root->form == Form::map) {
        if (const Node* dependencies = root->find("dependencies")) return read_conda(*dependencies, found);
        if (const Node* build = root->find("build")) return read_cog(*build, found);
    }
    return wrong(found.at(1, 1), "expected a map with `dependencies`, as conda has it, or with `build`, as cog has it",
                 "of YAML files those two kinds are known");
}

}  // namespace vmatrix::inputs
