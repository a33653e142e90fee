#include "golden.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "yaml/yaml.hpp"

namespace mutation {
namespace {

namespace base = vmatrix::base;
namespace yaml = vmatrix::yaml;

std::vector<std::filesystem::path> files_of(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string member(const yaml::Node& entry, std::string_view key) {
    const yaml::Node* value = entry.find(key);
    return value ? value->text : std::string();
}

std::vector<Golden> read_file(const std::filesystem::path& path) {
    base::Findings findings;
    const auto root = yaml::parse(text_of(path), path.string(), findings);
    const yaml::Node* list = root ? root->find("golden") : nullptr;
    if (!list || findings.errors() > 0) throw std::runtime_error(path.string() + " is no list of golden requests");
    std::vector<Golden> all;
    for (const yaml::Node& entry : list->items)
        all.push_back({member(entry, "about"), member(entry, "ask"), member(entry, "right"), path.filename().string(), entry.at.line});
    return all;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
    return result + "'";
}

/// The comment lines at the top of a golden file.
std::string head_of(const std::string& text) {
    std::istringstream lines(text);
    std::string head, line;
    while (std::getline(lines, line) && line.starts_with('#')) head += line + "\n";
    return head;
}

}  // namespace

std::vector<Golden> read_golden(const std::string& folder) {
    std::vector<Golden> all;
    for (const auto& file : files_of(folder)) std::ranges::move(read_file(file), std::back_inserter(all));
    if (all.empty()) throw std::runtime_error(folder + " holds no golden requests");
    return all;
}

void write_golden(const std::string& folder, const Shipped& shipped, const std::vector<Golden>& all) {
    Answers answers(shipped);
    for (const auto& path : files_of(folder)) {
        const std::string head = head_of(text_of(path));
        std::ofstream file(path);
        file << head << "golden:\n";
        for (const Golden& golden : all)
            if (golden.file == path.filename() && !golden.ask.empty())
                file << "  - {about: " << quoted(golden.about) << ", ask: " << quoted(golden.ask) << ",\n     right: " << quoted(answers.of_all(golden)) << "}\n";
    }
}

Answer Answers::of(const std::string& request, const std::string& about) {
    const Ask ask = read_ask(request);
    return answer(part_for(ask), ask, about);
}

const Matrix& Answers::part_for(const Ask& ask) {
    Part part = shipped_.part_of(ask);
    const std::scoped_lock lock(mutex_);
    const auto found = parts_.find(part);
    if (found != parts_.end()) return found->second;
    Matrix matrix = shipped_.cut(part);
    return parts_.emplace(std::move(part), std::move(matrix)).first->second;
}

std::string Answers::of_all(const Golden& golden) {
    const auto asked = variants(golden.ask);
    std::vector<Answer> answers;
    for (const Variant& variant : asked) answers.push_back(of(variant.text, golden.about));
    return merged(asked, answers);
}

}  // namespace mutation
