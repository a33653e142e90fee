#include "app/matrix_folder.hpp"

#include <cstdlib>

#include "base/text.hpp"
#include "matrix/lint.hpp"
#include "sys/files.hpp"

namespace vmatrix::app {

namespace fs = std::filesystem;

base::Result<fs::path> find_matrix(const std::optional<std::string>& given) {
    const char* variable = std::getenv("VMATRIX_MATRIX");   // NOLINT(concurrency-mt-unsafe): nothing writes the environment
    const bool from_variable = !given && variable && *variable != '\0';
    fs::path folder = given ? fs::path(*given) : from_variable ? fs::path(variable) : sys::executable_path().parent_path().parent_path() / "share/vmatrix/matrix";
    std::error_code problem;
    if (fs::is_directory(folder, problem)) return folder;
    return base::fail("there is no matrix at " + folder.string(),
                      given           ? "--matrix wants the folder that holds the YAML files"
                      : from_variable ? "VMATRIX_MATRIX names this folder: correct or unset it"
                                      : "install vmatrix with its data, or name a matrix with --matrix FOLDER",
                      given ? base::ErrorKind::usage : base::ErrorKind::environment);
}

base::Result<std::vector<matrix::SourceText>> load_texts(const fs::path& folder, base::Findings& findings) {
    const auto names = sys::list_files(folder, {});
    if (!names) return tl::make_unexpected(names.error());
    std::vector<matrix::SourceText> texts;
    for (const std::string& name : *names) {
        const std::string path = (folder / name).generic_string(), extension = base::lower(fs::path(name).extension().string());
        if (extension != ".yaml" && extension != ".yml") continue;
        if (!name.ends_with(".yaml")) {
            findings.warning("not-read", {path, 0, 0}, "this file is not read: the names of matrix files end with .yaml", "rename it");
            continue;
        }
        auto text = sys::read_file(path, matrix::max_total_bytes);
        if (!text) return tl::make_unexpected(text.error());
        texts.push_back({path, std::move(*text)});
    }
    if (texts.empty()) return base::fail("there are no .yaml files in " + folder.string(), "--matrix wants the folder that holds them");
    return texts;
}

base::Result<LoadedMatrix> load_matrix(const std::optional<std::string>& given) {
    const auto folder = find_matrix(given);
    if (!folder) return tl::make_unexpected(folder.error());
    LoadedMatrix loaded;
    const auto texts = load_texts(*folder, loaded.findings);
    if (!texts) return tl::make_unexpected(texts.error());
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

}  // namespace vmatrix::app
