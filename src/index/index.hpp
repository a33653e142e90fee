/// What was read from the files of a matrix, kept in a SQLite file, so that YAML is parsed only when it changed.
///
/// Nothing rests on it: a file that is missing, damaged, of another program or of another version of this one is made anew, and where
/// none can be written the answers are the same, only later.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "matrix/read.hpp"
#include "sqlite/database.hpp"

namespace vmatrix::index {

/// A file of a matrix as it is on disk.
struct FileState {
    std::string path;    ///< as in the positions of its facts
    std::string stamp;   ///< changes when the file does; empty: changed so lately that another change might not show
};

/// A whole matrix with the mistakes of its files.
struct Snapshot {
    model::Matrix matrix;
    base::Findings findings;
    std::size_t bytes = 0;    ///< of the files
};

class Index {
public:
    /// An index that is there. Nothing where it is missing, cannot be read, or was written by another `program`, whatever tells one
    /// build of it from another.
    [[nodiscard]] static std::optional<Index> open(const std::filesystem::path& path, std::string_view program);

    /// The matrix of files in exactly this state. Errors: the index is damaged.
    [[nodiscard]] base::Result<std::optional<Snapshot>> snapshot(std::span<const FileState> files);
    /// What a file says, if it is in this state.
    [[nodiscard]] std::optional<matrix::FileFacts> file(const FileState& state);

private:
    explicit Index(sqlite::Database database) : database_(std::move(database)) {}
    [[nodiscard]] base::Result<base::Findings> findings(const std::string& of);

    sqlite::Database database_;
};

/// Replaces what an index holds. `changed` are files that it does not have in their present state; a snapshot is kept only if every file
/// has a stamp. Errors: it cannot be written.
[[nodiscard]] base::Result<void> store(const std::filesystem::path& path, std::string_view program, std::span<const FileState> files, std::span<const matrix::FileFacts> changed, const Snapshot& snapshot);

}  // namespace vmatrix::index
