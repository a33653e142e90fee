#include "app/matrix_format.hpp"

#include <filesystem>
#include <system_error>

#include "app/matrix_folder.hpp"
#include "base/text.hpp"
#include "matrix/format.hpp"
#include "sys/files.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::app {
namespace {

base::Result<std::vector<matrix::SourceText>> texts_of(const std::optional<std::string>& folder, const std::vector<std::string>& files) {
    base::Findings names;   // lint tells them
    if (files.empty()) return find_matrix(folder).and_then([&](const auto& found) { return load_texts(found, names); });
    std::vector<matrix::SourceText> texts;
    for (const std::string& file : files) {
        if (!file.ends_with(".yaml")) return base::fail(base::printable(file, 300) + " is not a matrix file: their names end with .yaml", {}, base::ErrorKind::usage);
        std::error_code unknown;
        if (std::filesystem::is_symlink(file, unknown)) return base::fail(base::printable(file, 300) + " is a symbolic link; a matrix holds plain files only", "name the file it points to");
        auto text = sys::read_file(file, yaml::max_file_bytes);
        if (!text) return tl::make_unexpected(text.error());
        texts.push_back({file, std::move(*text)});
    }
    return texts;
}

}  // namespace

base::Result<Formatted> format_matrix(const std::optional<std::string>& matrix, const std::vector<std::string>& files, bool check) {
    const auto texts = texts_of(matrix, files);
    if (!texts) return tl::make_unexpected(texts.error());
    Formatted result;
    result.files = texts->size();
    for (const auto& file : *texts) {
        const auto text = matrix::format(file.text, file.path);
        if (!text) {
            result.refused.push_back(text.error());
            continue;
        }
        if (*text == file.text) continue;
        if (!check)
            if (auto written = sys::replace_file(file.path, *text); !written) return tl::make_unexpected(written.error());
        result.changed.push_back(file.path);
    }
    return result;
}

report::Tree format_answer(const Formatted& formatted) {
    using report::Tree;
    Tree changed = Tree::list(), refused = Tree::list();
    for (const std::string& file : formatted.changed) changed.items.push_back(Tree::of(base::printable(file, 4096)));
    for (const base::Error& error : formatted.refused) refused.items.push_back(Tree::record().set("message", base::printable(error.message, 4096)).set("hint", error.hint));
    Tree answer = Tree::record();
    answer.set("files", Tree::number(formatted.files)).set("changed", std::move(changed)).set("refused", std::move(refused));
    return answer;
}

}  // namespace vmatrix::app
