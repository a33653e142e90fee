#include <algorithm>

#include "base/text.hpp"
#include "inputs/inputs.hpp"
#include "inputs/kinds.hpp"
#include "inputs/requirement.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::inputs {
namespace {

using Reader = base::Result<void> (*)(std::string_view text, Collector& found);

constexpr const char* known_kinds = "known are requirements.txt and the output of pip freeze, pyproject.toml, environment.yml of conda, Dockerfile or Containerfile, and cog.yaml";

Reader by_name(std::string_view path) {
    const std::string name = base::lower(path.substr(path.find_last_of("/\\") + 1));
    const auto is_docker = [&](const std::string& word) { return name == word || name.starts_with(word + ".") || name.ends_with("." + word); };
    if (is_docker("dockerfile") || is_docker("containerfile")) return read_dockerfile;
    if (name == "pyproject.toml") return read_pyproject;
    if (name.ends_with(".yaml") || name.ends_with(".yml")) return read_yaml;
    if (name.ends_with(".txt") || name.ends_with(".in")) return read_requirements;
    return nullptr;
}

/// The lines that say something, without what surrounds them.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (const std::string_view line : base::split(text, '\n'))
        if (const auto trimmed = base::trim(line); !trimmed.empty() && !trimmed.starts_with('#')) lines.push_back(trimmed);
    return lines;
}

Reader by_content(std::string_view text) {
    const auto lines = lines_of(text);
    if (lines.empty()) return read_requirements;   // of no kind, and says nothing
    const auto any = [&](auto holds) { return std::ranges::any_of(lines, holds); };
    if (any([](std::string_view line) { return line == "[project]" || line.starts_with("[tool.poetry"); })) return read_pyproject;
    const std::string first = base::lower(lines.front());
    if (first.starts_with("from ") || (first.starts_with("arg ") && any([](std::string_view line) { return base::lower(line).starts_with("from "); }))) return read_dockerfile;
    if (any([](std::string_view line) { return line == "dependencies:" || line == "build:"; })) return read_yaml;
    const auto requirements = std::ranges::count_if(lines, [](std::string_view line) { return line.starts_with('-') || parse_requirement(line).has_value(); });
    return static_cast<std::size_t>(requirements) * 2 >= lines.size() ? read_requirements : nullptr;   // the reader tells the mistakes of the others
}

base::Result<void> check_text(const std::string& file, std::string_view text) {
    const base::Position whole{file, 0, 0};
    if (text.size() > max_bytes) return wrong(whole, "a file has at most " + std::to_string(max_bytes >> 20) + " MiB", "name the file that people edit, not what a program made of it");
    if (static_cast<std::size_t>(std::ranges::count(text, '\n')) > max_lines) return wrong(whole, "a file has at most " + std::to_string(max_lines) + " lines", "name the file that people edit, not what a program made of it");
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return wrong({file, 1, 1}, "this is UTF-16, expected UTF-8", "save it as UTF-8; in PowerShell: pip freeze | Out-File -Encoding utf8 requirements.txt");
    const auto bad = std::min(base::find_invalid_utf8(text), text.find('\0'));
    if (bad == std::string_view::npos) return {};
    const auto before = text.substr(0, bad);
    const auto line_start = before.find_last_of('\n') + 1;
    return wrong({file, static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, base::characters(before.substr(line_start)) + 1}, "expected text in UTF-8", "save the file as UTF-8");
}

}  // namespace

base::Result<Inputs> read_inputs(std::string_view file_name, std::string_view text, const std::optional<std::string>& python) {
    const std::string file(file_name);
    if (auto checked = check_text(file, text); !checked) return tl::make_unexpected(checked.error());
    text = yaml::without_byte_order_mark(text);
    Reader reader = by_name(file_name);
    if (!reader) reader = by_content(text);
    if (!reader) return wrong({file, 0, 0}, "neither its name nor its content tells which kind of file this is", known_kinds);
    Collector found(file, python);
    if (auto read = reader(text, found); !read) return tl::make_unexpected(read.error());
    Inputs inputs = found.take();
    if (inputs.specs.empty() && !inputs.python && !inputs.image && inputs.notes.empty()) inputs.notes.push_back({"nothing is wanted here: no package, no Python, no image", {file, 0, 0}});
    return inputs;
}

}  // namespace vmatrix::inputs
