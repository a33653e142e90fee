#include "sys/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include "base/text.hpp"

namespace vmatrix::sys {
namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& path) { return base::printable(path.string(), 300); }

tl::unexpected<base::Error> fail(const fs::path& path, std::string_view what, int error) {
    return base::fail("cannot " + std::string(what) + " " + shown(path) + ": " + std::generic_category().message(error), {},
                      base::ErrorKind::environment);
}

/// Closes on every way out.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { if (fd_ >= 0) ::close(fd_); }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

base::Result<std::string> read_file(const fs::path& path, std::size_t limit) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));   // a pipe must not hang us
    if (file.get() < 0) return fail(path, "open", errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) return fail(path, "read", errno);
    if (!S_ISREG(info.st_mode)) return base::fail(shown(path) + " is not a regular file", {}, base::ErrorKind::environment);
    std::string text;
    text.resize(std::min(limit + 1, static_cast<std::size_t>(info.st_size)));
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t got = ::read(file.get(), text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(path, "read", errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    text.resize(filled);
    if (text.size() > limit)
        return base::fail(shown(path) + " is larger than " + std::to_string(limit >> 20) + " MiB", {}, base::ErrorKind::input);
    return text;
}

base::Result<std::string> read_standard_input(std::size_t limit) {
    std::string text;
    std::array<char, 1u << 16> piece{};
    while (text.size() <= limit) {
        const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail("standard input", "read", errno);
        if (got == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return base::fail("standard input is larger than " + std::to_string(limit >> 20) + " MiB", {}, base::ErrorKind::input);
}

base::Result<std::vector<std::string>> list_files(const fs::path& folder, std::string_view extension, std::vector<std::string>* others) {
    std::error_code problem;
    if (!fs::is_directory(folder, problem)) return base::fail(shown(folder) + " is not a folder", {}, base::ErrorKind::environment);
    std::vector<std::string> names;
    for (fs::recursive_directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        const fs::path& path = entry->path();
        if (path.filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
            continue;
        }
        std::error_code unknown;
        if (entry->is_symlink(unknown)) return base::fail(shown(path) + " is a symbolic link; a matrix holds plain files only", "replace it by the file it points to");
        std::vector<std::string>* const list = entry->is_regular_file(unknown) ? &names : others;
        if (list && (extension.empty() || path.extension() == extension)) list->push_back(path.lexically_relative(folder).generic_string());
        if (unknown) return fail(path, "look at", unknown.value());
    }
    if (problem) return fail(folder, "read", problem.value());
    std::ranges::sort(names);
    return names;
}

base::Result<void> replace_file(const fs::path& named, std::string_view text) {
    std::error_code unresolved;
    const fs::path real = fs::canonical(named, unresolved);
    const fs::path& path = unresolved ? named : real;
    std::string temporary = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX.tmp")).string();   // a dot: nobody reads it
    const Descriptor file(::mkostemps(temporary.data(), 4, O_CLOEXEC));
    if (file.get() < 0) return fail(named, "write beside", errno);
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    const mode_t mode = exists ? (old.st_mode & 07777u) : 0644u;
    if (exists && ::fchown(file.get(), old.st_uid, old.st_gid) != 0 && ::geteuid() == 0) return fail(named, "keep the owner of", errno);
    const bool written = write_all(file.get(), text) && ::fchmod(file.get(), mode) == 0 && ::fsync(file.get()) == 0;
    if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
    const int error = errno;
    ::unlink(temporary.c_str());
    return fail(named, "write", error);
}

std::string file_stamp(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return {};
    struct timespec now {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const auto is_fresh = [&](const struct timespec& changed) { return changed.tv_sec + 1 >= now.tv_sec; };
    if (is_fresh(info.st_mtim) || is_fresh(info.st_ctim)) return {};
    std::string stamp = std::to_string(info.st_size) + " " + std::to_string(info.st_ino);
    for (const struct timespec& time : {info.st_mtim, info.st_ctim}) stamp += " " + std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
    return stamp;
}

fs::path cache_folder() {
    const auto named = [](const char* variable) {
        const char* const value = std::getenv(variable);   // NOLINT(concurrency-mt-unsafe): nothing writes the environment
        return value && *value == '/' ? fs::path(value) : fs::path();
    };
    const fs::path home = named("HOME"), given = named("XDG_CACHE_HOME");
    if (given.empty() && home.empty()) return {};
    fs::path folder = (given.empty() ? home / ".cache" : given) / "vmatrix";
    std::error_code problem;
    fs::create_directories(folder.parent_path(), problem);
    if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return {};
    return folder;
}

fs::path executable_path() {
    std::error_code problem;
    const fs::path path = fs::read_symlink("/proc/self/exe", problem);
    return problem ? fs::path() : path;
}

}  // namespace vmatrix::sys
