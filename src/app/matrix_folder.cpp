#include "app/matrix_folder.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "matrix/lint.hpp"
#include "sys/files.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::app {

namespace fs = std::filesystem;

namespace {

bool named_like_yaml(const std::string& name) {
    const std::string extension = base::lower(fs::path(name).extension().string());
    return extension == ".yaml" || extension == ".yml";
}

bool has_only(std::string_view text, const std::vector<std::string_view>& sections) {
    const auto found = matrix::sections_of(text);
    return !found.empty() && std::ranges::all_of(found, [&](std::string_view name) { return name == "defaults" || std::ranges::find(sections, name) != sections.end(); });
}

}  // namespace

base::Result<fs::path> find_matrix(const std::optional<std::string>& given) {
    const char* variable = std::getenv("VMATRIX_MATRIX");   // NOLINT(concurrency-mt-unsafe): nothing writes the environment
    const bool from_variable = !given && variable && *variable != '\0';
    fs::path folder = given ? fs::path(*given) : from_variable ? fs::path(variable) : sys::executable_path().parent_path().parent_path() / "share/vmatrix/matrix";
    std::error_code problem;
    if (fs::is_directory(folder, problem)) {
        if (given || from_variable) return folder;
        const fs::path real = fs::canonical(folder, problem);   // in a build tree this is the folder that people edit
        return problem ? folder : real;
    }
    return base::fail("there is no matrix at " + base::printable(folder.string(), 300),
                      given           ? "--matrix wants the folder that holds the YAML files"
                      : from_variable ? "VMATRIX_MATRIX names this folder: correct or unset it"
                                      : "install vmatrix with its data, or name a matrix with --matrix FOLDER",
                      given ? base::ErrorKind::usage : base::ErrorKind::environment);
}

base::Result<std::vector<matrix::SourceText>> load_texts(const fs::path& folder, base::Findings& findings) {
    std::vector<std::string> others;
    const auto names = sys::list_files(folder, {}, &others);
    if (!names) return tl::make_unexpected(names.error());
    for (const std::string& name : others)
        if (named_like_yaml(name)) findings.warning("not-read", {(folder / name).generic_string(), 0, 0}, "this is no file, though it is named like one", "rename it");
    std::vector<matrix::SourceText> texts;
    std::uintmax_t total = 0;
    for (const std::string& name : *names) {
        const std::string path = (folder / name).generic_string();
        if (!named_like_yaml(name)) continue;
        if (!name.ends_with(".yaml")) {
            findings.warning("not-read", {path, 0, 0}, "this file is not read: the names of matrix files end with .yaml", "rename it");
            continue;
        }
        std::error_code unknown;
        const auto size = fs::file_size(path, unknown);
        if (!unknown && size > yaml::max_file_bytes) {
            findings.error("too-large", {path, 0, 0}, "a matrix file has at most " + std::to_string(yaml::max_file_bytes >> 20) + " MiB, this one has " + std::to_string((size + (1u << 20) - 1) >> 20) + " MiB", "split it by family or by year");
            texts.push_back({path, {}});   // counted, not read
            continue;
        }
        total += size;
        if (total > matrix::max_total_bytes) {
            findings.error("too-large", {path, 0, 0}, "the files of a matrix have at most " + std::to_string(matrix::max_total_bytes >> 20) + " MiB together", "split it into layers");
            break;
        }
        auto text = sys::read_file(path, yaml::max_file_bytes);
        if (!text) return tl::make_unexpected(text.error());
        texts.push_back({path, std::move(*text)});
    }
    if (texts.empty() && findings.empty()) return base::fail("there are no .yaml files in " + base::printable(folder.string(), 300), "a matrix is a folder that holds them; see --matrix and VMATRIX_MATRIX");
    return texts;
}

base::Result<LoadedMatrix> load_matrix(const std::optional<std::string>& given, const Unneeded& unneeded) {
    const auto folder = find_matrix(given);
    if (!folder) return tl::make_unexpected(folder.error());
    LoadedMatrix loaded;
    auto texts = load_texts(*folder, loaded.findings);
    if (!texts) return tl::make_unexpected(texts.error());
    std::erase_if(*texts, [&](const matrix::SourceText& file) {
        const bool other_images = !unneeded.image_without.empty() && file.text.find(unneeded.image_without) == std::string::npos && has_only(file.text, {"images"});
        return other_images || (!unneeded.sections.empty() && has_only(file.text, unneeded.sections));
    });
    loaded.files = texts->size();
    for (const auto& text : *texts) loaded.bytes += text.text.size();
    loaded.matrix = matrix::read(*texts, loaded.findings);
    return loaded;
}

base::Result<LoadedMatrix> lint_matrix(const std::optional<std::string>& given) {
    auto loaded = load_matrix(given);
    if (loaded) matrix::lint(loaded->matrix, loaded->findings);
    return loaded;
}

report::Tree lint_answer(const LoadedMatrix& loaded) {
    using report::Tree;
    constexpr std::size_t longest_path = 4096;
    Tree findings = Tree::list();
    for (const base::Finding& finding : loaded.findings.sorted()) {
        const auto number = [&](std::size_t value) { return finding.at.line == 0 ? Tree() : Tree::number(value); };   // null: the whole file
        Tree record = Tree::record();
        record.set("file", base::printable(finding.at.file, longest_path)).set("line", number(finding.at.line)).set("column", number(finding.at.column));
        record.set("severity", finding.severity == base::Severity::error ? "error" : "warning").set("code", finding.code).set("message", finding.message);
        record.set("hint", finding.hint.empty() ? Tree() : Tree::of(finding.hint));
        findings.items.push_back(std::move(record));
    }
    Tree answer = Tree::record();
    answer.set("files", Tree::number(loaded.files)).set("facts", Tree::number(loaded.matrix.facts().size()));
    answer.set("errors", Tree::number(loaded.findings.errors())).set("warnings", Tree::number(loaded.findings.warnings()));
    answer.set("findings", std::move(findings));
    return answer;
}

}  // namespace vmatrix::app
