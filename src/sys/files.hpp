/// Files and folders. Everything that touches the disk goes through here.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace vmatrix::sys {

/// The whole file. Refuses what is no regular file and what is larger than `limit` bytes.
[[nodiscard]] base::Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit);

/// All that comes from standard input, until it ends. Refuses more than `limit` bytes.
[[nodiscard]] base::Result<std::string> read_standard_input(std::size_t limit);

/// Regular files below a folder whose names end with `extension` (all when it is empty), as paths relative to it with `/`,
/// sorted by bytes. Names that begin with a dot are left out. A symbolic link below the folder is an error: it could lead out of it.
/// `others`, if given, gets what is no file but has that ending: folders, pipes.
[[nodiscard]] base::Result<std::vector<std::string>> list_files(const std::filesystem::path& folder, std::string_view extension, std::vector<std::string>* others = nullptr);

/// Replaces a file at once: a temporary file beside it, flushed to disk, renamed over it. Keeps the file's mode and,
/// as root, its owner; behind a symbolic link the file that it points to is replaced.
[[nodiscard]] base::Result<void> replace_file(const std::filesystem::path& named, std::string_view text);

/// A text that changes when a file does: its size, its number on the disk and the times of its last changes. Empty for a file that cannot be
/// looked at, and for one changed so lately (a second) that the clock of the disk might not tell one more change.
[[nodiscard]] std::string file_stamp(const std::filesystem::path& path);

/// The folder for what can be made anew ($XDG_CACHE_HOME/vmatrix, else ~/.cache/vmatrix), made if it is missing, for this user only. Empty
/// where there is none.
[[nodiscard]] std::filesystem::path cache_folder();

/// The running program; empty when the system does not tell.
[[nodiscard]] std::filesystem::path executable_path();

}  // namespace vmatrix::sys
