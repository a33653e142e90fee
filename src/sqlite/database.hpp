/// SQLite, as little of it as is needed: statements with values, and results by column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace vmatrix::sqlite {

/// One statement, which may run several times. Must not outlive its database.
class Statement {
public:
    /// Parameters count from 1. The text is copied.
    Statement& bind(int parameter, std::string_view bytes);
    Statement& bind(int parameter, std::int64_t number);

    /// Whether there is another row. Errors: those of Database.
    [[nodiscard]] base::Result<bool> step();
    /// Runs a statement without rows and makes it ready for the next run.
    [[nodiscard]] base::Result<void> run();

    /// Of the row that step() found; columns count from 0.
    [[nodiscard]] std::string bytes(int column) const;
    [[nodiscard]] std::int64_t number(int column) const;

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    sqlite3* database_ = nullptr;
};

/// A database file. Errors everywhere: what SQLite says, with the file; of kind `input` where the file is damaged or no database, else of
/// kind `environment`.
class Database {
public:
    enum class Mode { read, write };
    /// To write, the file is made where it is missing. Waits for others up to `patience_ms`.
    [[nodiscard]] static base::Result<Database> open(const std::filesystem::path& path, Mode mode, int patience_ms);

    /// Statements without values, separated by `;`.
    [[nodiscard]] base::Result<void> execute(const std::string& sql);
    [[nodiscard]] base::Result<Statement> prepare(std::string_view sql);

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace vmatrix::sqlite
