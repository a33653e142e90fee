#include "app/matrix_folder.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "index/index.hpp"
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

namespace {

/// The files of a matrix, and how much there is to read. Those that are too large are named without being read.
struct Listing {
    std::vector<std::string> paths;
    std::vector<std::string> too_large;
    std::uintmax_t bytes = 0;
};

base::Result<Listing> list_matrix(const fs::path& folder, base::Findings& findings) {
    std::vector<std::string> others;
    const auto names = sys::list_files(folder, {}, &others);
    if (!names) return tl::make_unexpected(names.error());
    for (const std::string& name : others)
        if (named_like_yaml(name)) findings.warning("not-read", {(folder / name).generic_string(), 0, 0}, "this is no file, though it is named like one", "rename it");
    Listing listing;
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
            listing.too_large.push_back(path);
            continue;
        }
        if (!unknown) listing.bytes += size;
        if (listing.bytes > matrix::max_total_bytes) {
            findings.error("too-large", {path, 0, 0}, "the files of a matrix have at most " + std::to_string(matrix::max_total_bytes >> 20) + " MiB together", "split it into layers");
            break;
        }
        listing.paths.push_back(path);
    }
    if (listing.paths.empty() && findings.empty()) return base::fail("there are no .yaml files in " + base::printable(folder.string(), 300), "a matrix is a folder that holds them; see --matrix and VMATRIX_MATRIX");
    return listing;
}

base::Result<std::vector<matrix::SourceText>> read_texts(const Listing& listing) {
    std::vector<matrix::SourceText> texts;
    for (const std::string& path : listing.paths) {
        auto text = sys::read_file(path, yaml::max_file_bytes);
        if (!text) return tl::make_unexpected(text.error());
        texts.push_back({path, std::move(*text)});
    }
    return texts;
}

/// The index of a folder as it was named, which stands in the positions of facts; empty where nothing can be kept.
fs::path index_of(const fs::path& folder) {
    const fs::path cache = sys::cache_folder();
    std::error_code problem;
    const fs::path real = fs::canonical(folder, problem);
    if (cache.empty() || problem) return {};
    constexpr std::uint64_t basis = 14695981039346656037U, prime = 1099511628211U;   // FNV-1a: a name, no secret
    std::uint64_t hash = basis;
    for (const char c : real.string() + "\n" + folder.string()) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
    return cache / ("index-" + std::to_string(hash) + ".sqlite");
}

/// What tells this build of the program from another, which may read the same files in another way.
std::string this_program() { return sys::file_stamp(sys::executable_path()); }

/// The matrix of these files, of which only those that changed since the last time are read.
base::Result<index::Snapshot> load_indexed(const fs::path& path, const std::string& program, const Listing& listing) {
    std::vector<index::FileState> states;
    for (const std::string& file : listing.paths) states.push_back({file, sys::file_stamp(file)});
    auto known = index::Index::open(path, program);
    if (auto kept = known ? known->snapshot(states) : std::nullopt; kept && *kept) return std::move(**kept);
    std::vector<matrix::FileFacts> all, changed;
    for (const index::FileState& state : states) {
        auto kept = known ? known->file(state) : std::nullopt;
        if (!kept) {
            auto text = sys::read_file(state.path, yaml::max_file_bytes);
            if (!text) return tl::make_unexpected(text.error());
            kept = matrix::read_file({state.path, std::move(*text)});
            changed.push_back(*kept);
        }
        all.push_back(std::move(*kept));
    }
    known.reset();
    index::Snapshot snapshot{{}, {}, static_cast<std::size_t>(listing.bytes)};
    snapshot.matrix = matrix::combine(std::move(all), snapshot.findings);
    (void)index::store(path, program, states, changed, snapshot);   // without it the next run reads again
    return snapshot;
}

}  // namespace

base::Result<std::vector<matrix::SourceText>> load_texts(const fs::path& folder, base::Findings& findings) {
    const auto listing = list_matrix(folder, findings);
    if (!listing) return tl::make_unexpected(listing.error());
    auto texts = read_texts(*listing);
    for (const std::string& path : texts ? listing->too_large : std::vector<std::string>{}) texts->push_back({path, {}});   // counted, not read
    return texts;
}

base::Result<LoadedMatrix> load_matrix(const std::optional<std::string>& given, const Unneeded& unneeded) {
    const auto folder = find_matrix(given);
    if (!folder) return tl::make_unexpected(folder.error());
    LoadedMatrix loaded;
    const auto listing = list_matrix(*folder, loaded.findings);
    if (!listing) return tl::make_unexpected(listing.error());
    const fs::path index = index_of(*folder);
    if (const std::string program = this_program(); !index.empty() && !program.empty()) {
        auto snapshot = load_indexed(index, program, *listing);
        if (!snapshot) return tl::make_unexpected(snapshot.error());
        loaded.findings.add(snapshot->findings);
        loaded.matrix = std::move(snapshot->matrix);
        loaded.files = listing->paths.size() + listing->too_large.size();
        loaded.bytes = snapshot->bytes;
        return loaded;
    }
    auto texts = read_texts(*listing);
    if (!texts) return tl::make_unexpected(texts.error());
    std::erase_if(*texts, [&](const matrix::SourceText& file) {
        const bool other_images = !unneeded.image_without.empty() && file.text.find(unneeded.image_without) == std::string::npos && has_only(file.text, {"images"});
        return other_images || (!unneeded.sections.empty() && has_only(file.text, unneeded.sections));
    });
    loaded.files = texts->size() + listing->too_large.size();
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
