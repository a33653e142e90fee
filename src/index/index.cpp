#include "index/index.hpp"

#include <algorithm>
#include <system_error>

#include "model/packed.hpp"

namespace vmatrix::index {
namespace {

using sqlite::Database;

constexpr int patience_ms = 2000;
const std::string combined;   ///< whose findings show only when all files are seen together

/// Written by another version of the program: FNV-1a of what tells versions apart, with 31 bits as SQLite keeps it.
std::int64_t version_of(std::string_view program) {
    std::uint32_t hash = 2166136261U ^ model::packed_format;
    for (const char c : program) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash >> 1;
}

base::Result<std::int64_t> written_version(Database& database) {
    auto statement = database.prepare("PRAGMA user_version");
    if (!statement) return tl::make_unexpected(statement.error());
    const auto row = statement->step();
    if (!row) return tl::make_unexpected(row.error());
    return statement->number(0);
}

std::string states_of(std::span<const FileState> files) {
    std::string text;
    for (const FileState& file : files) text += file.path + "\n" + file.stamp + "\n";
    return text;
}

std::string pack(const auto& facts) {
    model::Packer packer;
    for (const model::Fact& fact : facts) packer.add(fact);
    return packer.bytes();
}

/// Facts that stand by themselves.
base::Result<std::vector<model::Fact>> unpack(std::string bytes) {
    const auto packed = model::Packed::open(std::move(bytes));
    if (!packed) return tl::make_unexpected(packed.error());
    std::vector<model::Fact> facts;
    for (std::size_t i = 0; i < (*packed)->size(); ++i) {
        facts.push_back((*packed)->fact(i));
        (void)facts.back().fields.all();
    }
    return facts;
}

base::Result<void> make_tables(Database& database, std::int64_t version) {
    const auto written = written_version(database);
    if (!written) return tl::make_unexpected(written.error());
    if (*written == version) return {};
    return database.execute("DROP TABLE IF EXISTS file; DROP TABLE IF EXISTS finding; DROP TABLE IF EXISTS snapshot;"
                            "CREATE TABLE file (path BLOB PRIMARY KEY, stamp BLOB, facts BLOB, defaults BLOB, whole INTEGER) WITHOUT ROWID;"
                            "CREATE TABLE finding (of BLOB, severity INTEGER, code BLOB, message BLOB, file BLOB, line INTEGER, place INTEGER, hint BLOB);"
                            "CREATE TABLE snapshot (id INTEGER PRIMARY KEY, states BLOB, size INTEGER, facts BLOB);"
                            "PRAGMA user_version = " + std::to_string(version));
}

base::Result<void> put_findings(Database& database, const std::string& of, const base::Findings& findings) {
    auto clear = database.prepare("DELETE FROM finding WHERE of = ?");
    if (!clear) return tl::make_unexpected(clear.error());
    if (auto done = clear->bind(1, of).run(); !done) return done;
    auto put = database.prepare("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    if (!put) return tl::make_unexpected(put.error());
    for (const base::Finding& finding : findings.sorted()) {
        put->bind(1, of).bind(2, std::int64_t{finding.severity == base::Severity::error ? 0 : 1}).bind(3, finding.code).bind(4, finding.message).bind(5, finding.at.file);
        put->bind(6, static_cast<std::int64_t>(finding.at.line)).bind(7, static_cast<std::int64_t>(finding.at.column)).bind(8, finding.hint);
        if (auto done = put->run(); !done) return done;
    }
    return {};
}

base::Result<void> put_files(Database& database, std::span<const FileState> files, std::span<const matrix::FileFacts> changed) {
    auto put = database.prepare("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)");
    if (!put) return tl::make_unexpected(put.error());
    for (const matrix::FileFacts& file : changed) {
        const auto state = std::ranges::find(files, file.path, &FileState::path);
        if (state == files.end() || state->stamp.empty()) continue;
        put->bind(1, file.path).bind(2, state->stamp).bind(3, pack(file.facts)).bind(4, pack(file.defaults)).bind(5, std::int64_t{file.all_read ? 1 : 0});
        if (auto done = put->run(); !done) return done;
        if (auto done = put_findings(database, file.path, file.findings); !done) return done;
    }
    return {};
}

base::Result<void> put_snapshot(Database& database, std::span<const FileState> files, const Snapshot& snapshot) {
    if (std::ranges::any_of(files, [](const FileState& file) { return file.stamp.empty(); })) return {};
    auto put = database.prepare("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?)");
    if (!put) return tl::make_unexpected(put.error());
    put->bind(1, states_of(files)).bind(2, static_cast<std::int64_t>(snapshot.bytes)).bind(3, pack(snapshot.matrix.facts()));
    if (auto done = put->run(); !done) return done;
    return put_findings(database, combined, snapshot.findings);
}

base::Result<void> write(const std::filesystem::path& path, std::int64_t version, std::span<const FileState> files, std::span<const matrix::FileFacts> changed, const Snapshot& snapshot) {
    auto database = Database::open(path, Database::Mode::write, patience_ms);
    if (!database) return tl::make_unexpected(database.error());
    // What is lost with the power is made anew; a half-written page shows by the checksum of the facts.
    if (auto begun = database->execute("PRAGMA synchronous = OFF; BEGIN IMMEDIATE"); !begun) return begun;
    if (auto made = make_tables(*database, version); !made) return made;
    if (auto put = put_files(*database, files, changed); !put) return put;
    if (auto put = put_snapshot(*database, files, snapshot); !put) return put;
    return database->execute("COMMIT");
}

}  // namespace

std::optional<Index> Index::open(const std::filesystem::path& path, std::string_view program) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
    auto database = Database::open(path, Database::Mode::read, patience_ms);
    if (!database) return std::nullopt;
    const auto version = written_version(*database);
    if (!version || *version != version_of(program)) return std::nullopt;
    return Index(std::move(*database));
}

base::Result<base::Findings> Index::findings(const std::string& of) {
    base::Findings all;
    auto rows = database_.prepare("SELECT severity, code, message, file, line, place, hint FROM finding WHERE of = ? ORDER BY rowid");
    if (!rows) return tl::make_unexpected(rows.error());
    rows->bind(1, of);
    while (true) {
        const auto more = rows->step();
        if (!more) return tl::make_unexpected(more.error());
        if (!*more) return all;
        base::Position at{rows->bytes(3), static_cast<std::size_t>(rows->number(4)), static_cast<std::size_t>(rows->number(5))};
        if (rows->number(0) == 0) all.error(rows->bytes(1), std::move(at), rows->bytes(2), rows->bytes(6));
        else all.warning(rows->bytes(1), std::move(at), rows->bytes(2), rows->bytes(6));
    }
}

base::Result<std::optional<Snapshot>> Index::snapshot(std::span<const FileState> files) {
    auto row = database_.prepare("SELECT size, facts FROM snapshot WHERE id = 1 AND states = ?");
    if (!row) return tl::make_unexpected(row.error());
    const auto found = row->bind(1, states_of(files)).step();
    if (!found) return tl::make_unexpected(found.error());
    if (!*found) return std::nullopt;
    Snapshot snapshot;
    snapshot.bytes = static_cast<std::size_t>(row->number(0));
    const auto packed = model::Packed::open(row->bytes(1));
    if (!packed) return tl::make_unexpected(packed.error());
    snapshot.matrix.keep(*packed);
    for (std::size_t i = 0; i < (*packed)->size(); ++i) snapshot.matrix.add((*packed)->fact(i));
    auto of_all = findings(combined);
    if (!of_all) return tl::make_unexpected(of_all.error());
    snapshot.findings = std::move(*of_all);
    return snapshot;
}

std::optional<matrix::FileFacts> Index::file(const FileState& state) {
    auto row = database_.prepare("SELECT facts, defaults, whole FROM file WHERE path = ? AND stamp = ?");
    if (!row || state.stamp.empty()) return std::nullopt;
    const auto found = row->bind(1, state.path).bind(2, state.stamp).step();
    if (!found || !*found) return std::nullopt;
    auto facts = unpack(row->bytes(0)), defaults = unpack(row->bytes(1));
    auto own = findings(state.path);
    if (!facts || !defaults || !own) return std::nullopt;
    return matrix::FileFacts{state.path, std::move(*facts), std::move(*defaults), std::move(*own), row->number(2) != 0};
}

base::Result<void> store(const std::filesystem::path& path, std::string_view program, std::span<const FileState> files, std::span<const matrix::FileFacts> changed, const Snapshot& snapshot) {
    const auto version = version_of(program);
    auto written = write(path, version, files, changed, snapshot);
    if (written || written.error().kind != base::ErrorKind::input) return written;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);   // damaged, or no database
    return write(path, version, files, changed, snapshot);
}

}  // namespace vmatrix::index
