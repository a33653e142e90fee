// What was read from files, kept in SQLite, and given back only where it still holds.
#include "index/index.hpp"

#include <fstream>
#include <thread>

#include "support/catch.hpp"

using namespace vmatrix;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test.
struct Folder {
    fs::path path = fs::temp_directory_path() / ("vmatrix-index-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
    Folder() { fs::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
    [[nodiscard]] fs::path file() const { return path / "index.sqlite"; }
    static inline int count = 0;
};

const std::string sources = "sources:\n  - {id: here, kind: documentation, url: \"https://example.org\"}\n";
const std::string vendors = "vendors:\n  - {id: nvidia, name: NVIDIA, pci: 10de, architecture: nvidia, unknown-field: 1}\n";

std::vector<matrix::FileFacts> read(const std::vector<std::string>& texts) {
    std::vector<matrix::FileFacts> files;
    for (std::size_t i = 0; i < texts.size(); ++i) files.push_back(matrix::read_file({"file" + std::to_string(i) + ".yaml", texts[i]}));
    return files;
}

std::vector<index::FileState> states(std::size_t count, const std::string& stamp = "1") {
    std::vector<index::FileState> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back({"file" + std::to_string(i) + ".yaml", stamp});
    return all;
}

index::Snapshot combined(std::vector<matrix::FileFacts> files) {
    index::Snapshot snapshot{{}, {}, 77};
    snapshot.matrix = matrix::combine(std::move(files), snapshot.findings);
    return snapshot;
}

std::string shown(const base::Findings& findings) {
    std::string text;
    for (const base::Finding& finding : findings.sorted()) text += to_string(finding.at) + " " + finding.code + " " + finding.message + " " + finding.hint + (finding.severity == base::Severity::error ? " error\n" : " warning\n");
    return text;
}

std::string shown(const model::Matrix& matrix) {
    std::string text;
    for (const model::Fact& fact : matrix.facts()) {
        text += to_string(fact.at) + " " + std::string(fact.kind->name) + " " + fact.id + "\n";
        for (const auto& [name, value] : fact.fields) text += "  " + name + "=" + value.text + ":" + std::to_string(value.line) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("a matrix comes back with its facts and its mistakes", "[index]") {
    const Folder folder;
    const auto files = read({sources, vendors});
    const auto whole = combined(files);
    REQUIRE(whole.findings.errors() > 0);
    REQUIRE(index::store(folder.file(), "program", states(2), files, whole).has_value());
    auto opened = index::Index::open(folder.file(), "program");
    REQUIRE(opened.has_value());
    const auto back = opened->snapshot(states(2));
    REQUIRE(back.has_value());
    REQUIRE(back->has_value());
    CHECK(shown((*back)->matrix) == shown(whole.matrix));
    CHECK(shown((*back)->findings) == shown(whole.findings));
    CHECK((*back)->bytes == 77);
    const auto second = opened->file(states(2)[1]);
    REQUIRE(second.has_value());
    CHECK(second->facts.size() == files[1].facts.size());
    CHECK(shown(second->findings) == shown(files[1].findings));
}

TEST_CASE("what changed is not given back", "[index]") {
    const Folder folder;
    const auto files = read({sources, vendors});
    REQUIRE(index::store(folder.file(), "program", states(2), files, combined(files)).has_value());
    CHECK_FALSE(index::Index::open(folder.file(), "another program").has_value());
    auto opened = index::Index::open(folder.file(), "program");
    REQUIRE(opened.has_value());
    auto changed = states(2);
    changed[1].stamp = "2";
    CHECK_FALSE(opened->snapshot(changed)->has_value());
    CHECK_FALSE(opened->snapshot(states(1))->has_value());
    CHECK(opened->file(changed[0]).has_value());
    CHECK_FALSE(opened->file(changed[1]).has_value());
    CHECK_FALSE(opened->file({"file1.yaml", ""}).has_value());
}

TEST_CASE("a file that changed a moment ago is not kept", "[index]") {
    const Folder folder;
    const auto files = read({sources, vendors});
    auto fresh = states(2);
    fresh[1].stamp.clear();
    REQUIRE(index::store(folder.file(), "program", fresh, files, combined(files)).has_value());
    auto opened = index::Index::open(folder.file(), "program");
    REQUIRE(opened.has_value());
    CHECK_FALSE(opened->snapshot(fresh)->has_value());
    CHECK(opened->file(fresh[0]).has_value());
}

TEST_CASE("a damaged index is made anew", "[index]") {
    const auto files = read({sources, vendors});
    const auto whole = combined(files);
    const Folder folder;
    REQUIRE(index::store(folder.file(), "program", states(2), files, whole).has_value());
    const auto size = fs::file_size(folder.file());
    for (std::size_t at = 0; at < size; at += 97) {
        INFO("damaged from byte " << at);
        REQUIRE(index::store(folder.file(), "program", states(2), files, whole).has_value());
        {
            std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(at));
            file << std::string(64, '\xA5');
        }
        if (auto opened = index::Index::open(folder.file(), "program")) {   // whatever it gives is right
            const auto back = opened->snapshot(states(2));
            if (back && *back) CHECK(shown((*back)->matrix) == shown(whole.matrix));
        }
        const auto again = index::store(folder.file(), "program", states(2), files, whole);
        if (!again) fs::remove(folder.file());
    }
    std::ofstream(folder.file(), std::ios::trunc) << "no database, but long enough to look like one at first sight\n";
    REQUIRE(index::store(folder.file(), "program", states(2), files, whole).has_value());
    CHECK(index::Index::open(folder.file(), "program").has_value());
}

TEST_CASE("many can write and read at once", "[index]") {
    const Folder folder;
    const auto files = read({sources, vendors});
    const auto whole = combined(files);
    std::vector<int> wrong(8);
    {
        std::vector<std::jthread> threads;
        for (int& mine : wrong)
            threads.emplace_back([&] {
                for (int i = 0; i < 10; ++i) {
                    if (!index::store(folder.file(), "program", states(2), files, whole)) ++mine;
                    auto opened = index::Index::open(folder.file(), "program");
                    const auto back = opened ? opened->snapshot(states(2)) : std::nullopt;
                    if (!back || !*back || shown((*back)->matrix) != shown(whole.matrix)) ++mine;
                }
            });
    }
    CHECK(wrong == std::vector<int>(8));
}

TEST_CASE("where nothing can be written, that is said", "[index]") {
    const auto files = read({sources});
    CHECK_FALSE(index::store("/proc/no/index.sqlite", "program", states(1), files, combined(files)).has_value());
    CHECK_FALSE(index::Index::open("/proc/no/index.sqlite", "program").has_value());
}
