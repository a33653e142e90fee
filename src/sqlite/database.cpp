#include "sqlite/database.hpp"

#include <sqlite3.h>

#include "base/text.hpp"

namespace vmatrix::sqlite {
namespace {

tl::unexpected<base::Error> fail(sqlite3* database) {
    const int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
    const auto kind = code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? base::ErrorKind::input : base::ErrorKind::environment;
    const char* const file = database ? sqlite3_db_filename(database, "main") : nullptr;
    return base::fail((file && *file != '\0' ? base::printable(file, 300) + ": " : std::string()) + (database ? sqlite3_errmsg(database) : "out of memory"), {}, kind);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement& Statement::bind(int parameter, std::string_view bytes) {
    sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_TRANSIENT);   // NOLINT(cppcoreguidelines-pro-type-cstyle-cast,performance-no-int-to-ptr): SQLite's macro
    return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
    sqlite3_bind_int64(statement_.get(), parameter, number);
    return *this;
}

base::Result<bool> Statement::step() {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    return fail(database_);
}

base::Result<void> Statement::run() {
    const auto done = step();
    sqlite3_reset(statement_.get());
    if (!done) return tl::make_unexpected(done.error());
    return {};
}

std::string Statement::bytes(int column) const {
    const auto* const data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return data ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : std::string();
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

base::Result<Database> Database::open(const std::filesystem::path& path, Mode mode, int patience_ms) {
    sqlite3* opened = nullptr;
    const int flags = (mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX;
    const int result = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    Database database;
    database.database_.reset(opened);
    if (result != SQLITE_OK) return fail(opened);
    sqlite3_busy_timeout(opened, patience_ms);
    return database;
}

base::Result<void> Database::execute(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail(database_.get());
    return {};
}

base::Result<Statement> Database::prepare(std::string_view sql) {
    Statement statement;
    statement.database_ = database_.get();
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr) != SQLITE_OK) return fail(database_.get());
    statement.statement_.reset(prepared);
    return statement;
}

}  // namespace vmatrix::sqlite
