#include "sys/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;
using vmatrix::base::ErrorKind;
using namespace vmatrix::sys;

/// A folder of its own for each test, removed at its end.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "vmatrix-test-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::permissions(path_, fs::perms::owner_all, ignored);
        fs::remove_all(path_, ignored);
    }
    fs::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] const fs::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ifstream in(path_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    [[nodiscard]] std::size_t entries() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {})); }

private:
    fs::path path_;
};

/// Root may write and read everywhere, so a test of permissions becomes somebody else for a while.
class Unprivileged {
public:
    Unprivileged() : changed_(::geteuid() == 0 && ::seteuid(65534) == 0) {}
    Unprivileged(const Unprivileged&) = delete;
    Unprivileged& operator=(const Unprivileged&) = delete;
    ~Unprivileged() {
        if (changed_ && ::seteuid(0) != 0) std::abort();  // else all later tests would be somebody else's
    }
    [[nodiscard]] static bool possible() { return ::geteuid() != 0; }

private:
    bool changed_;
};

TEST_CASE("read_file gives every byte", "[sys]") {
    const Folder folder;
    const std::string text("a\0b\r\n\xFF", 6);
    folder.write("file", text);
    CHECK(read_file(folder / "file", 100).value() == text);
    folder.write("empty", "");
    CHECK(read_file(folder / "empty", 0).value().empty());
}

TEST_CASE("read_file keeps its limit", "[sys]") {
    const Folder folder;
    folder.write("file", std::string(1000, 'x'));
    CHECK(read_file(folder / "file", 1000).value().size() == 1000);
    const auto refused = read_file(folder / "file", 999);
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::input);
    CHECK(refused.error().message.find((folder / "file").string()) == 0);
    SECTION("a file that is all hole is refused before it fills the memory") {
        folder.write("sparse", "");
        fs::resize_file(folder / "sparse", std::uintmax_t{1} << 40);
        CHECK(!read_file(folder / "sparse", 4096));
    }
}

TEST_CASE("read_file says what it cannot read", "[sys]") {
    const Folder folder;
    const auto kind_of = [](const fs::path& path) { return read_file(path, 100).error().kind; };
    SECTION("nothing there") {
        const auto missing = read_file(folder / "missing", 100);
        REQUIRE(!missing);
        CHECK(missing.error().kind == ErrorKind::environment);
        CHECK(missing.error().message.find("No such file") != std::string::npos);
    }
    SECTION("a folder") { CHECK(kind_of(folder.path()) == ErrorKind::environment); }
    SECTION("a pipe that nobody writes to does not hang") {
        REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
        CHECK(kind_of(folder / "pipe") == ErrorKind::environment);
    }
    SECTION("a device") { CHECK(kind_of("/dev/zero") == ErrorKind::environment); }
    SECTION("a file without permission") {
        folder.write("secret", "x");
        fs::permissions(folder.path(), fs::perms(0755));
        fs::permissions(folder / "secret", fs::perms::none);
        const Unprivileged somebody;
        if (somebody.possible()) CHECK(kind_of(folder / "secret") == ErrorKind::environment);
    }
}

TEST_CASE("list_files gives names of one kind, in the order of their bytes", "[sys]") {
    const Folder folder;
    for (const char* name :
         {"b.yaml", "a/z.yaml", "a/b/c.yaml", "Z.yaml", "note.txt", "yaml", "x.yaml.bak", ".hidden.yaml", ".git/config.yaml", "a.yaml"})
        folder.write(name, "");
    fs::create_directories(folder / "folder.yaml");
    CHECK(list_files(folder.path(), ".yaml").value() == std::vector<std::string>{"Z.yaml", "a.yaml", "a/b/c.yaml", "a/z.yaml", "b.yaml"});
    CHECK(list_files(folder.path(), ".json").value().empty());
}

TEST_CASE("list_files refuses symbolic links and follows none", "[sys]") {
    const Folder folder;
    folder.write("a.yaml", "");
    SECTION("to a file") { fs::create_symlink("/etc/hostname", folder / "b.yaml"); }
    SECTION("to a folder") { fs::create_directory_symlink("/", folder / "b"); }
    SECTION("to nothing") { fs::create_symlink("nowhere", folder / "b.txt"); }
    SECTION("to itself") { fs::create_directory_symlink(".", folder / "b"); }
    const auto refused = list_files(folder.path(), ".yaml");
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::input);
    CHECK(refused.error().message.find("symbolic link") != std::string::npos);
}

TEST_CASE("list_files may be given a link to a folder, and says when there is none", "[sys]") {
    const Folder folder;
    folder.write("real/a.yaml", "");
    fs::create_directory_symlink("real", folder / "link");
    CHECK(list_files(folder / "link", ".yaml").value() == std::vector<std::string>{"a.yaml"});
    CHECK(list_files(folder / "missing", ".yaml").error().kind == ErrorKind::environment);
    CHECK(list_files(folder / "real/a.yaml", ".yaml").error().kind == ErrorKind::environment);
}

TEST_CASE("list_files passes over pipes and folders, and tells them", "[sys]") {
    const Folder folder;
    REQUIRE(::mkfifo((folder / "pipe.yaml").c_str(), 0600) == 0);
    fs::create_directories(folder / "folder.yaml/inner");
    CHECK(list_files(folder.path(), ".yaml").value().empty());
    std::vector<std::string> others;
    CHECK(list_files(folder.path(), ".yaml", &others).value().empty());
    std::ranges::sort(others);
    CHECK(others == std::vector<std::string>{"folder.yaml", "pipe.yaml"});
}

TEST_CASE("replace_file writes a new file and replaces an old one", "[sys]") {
    const Folder folder;
    REQUIRE(replace_file(folder / "new", "one"));
    CHECK(folder.read("new") == "one");
    REQUIRE(replace_file(folder / "new", std::string("\0two", 4)));
    CHECK(folder.read("new") == std::string("\0two", 4));
    CHECK(folder.entries() == 1);  // no temporary file is left
}

TEST_CASE("replace_file keeps the mode", "[sys]") {
    const Folder folder;
    for (const fs::perms mode : {fs::perms(0600), fs::perms(0644), fs::perms(0664), fs::perms(0755)}) {
        folder.write("file", "old");
        fs::permissions(folder / "file", mode);
        REQUIRE(replace_file(folder / "file", "new"));
        CHECK(fs::status(folder / "file").permissions() == mode);
    }
    REQUIRE(replace_file(folder / "fresh", "new"));
    CHECK((fs::status(folder / "fresh").permissions() & fs::perms::others_write) == fs::perms::none);
}

TEST_CASE("replace_file leaves the old file when it cannot write", "[sys]") {
    const Folder folder;
    folder.write("inner/file", "old");
    SECTION("the folder is read-only") {
        fs::permissions(folder.path(), fs::perms(0755));
        fs::permissions(folder / "inner", fs::perms(0555));
        {
            const Unprivileged somebody;
            if (somebody.possible()) {
                const auto refused = replace_file(folder / "inner/file", "new");
                CHECK(!refused);
                if (!refused) CHECK(refused.error().kind == ErrorKind::environment);
            }
        }
        fs::permissions(folder / "inner", fs::perms::owner_all);
    }
    SECTION("the folder does not exist") { CHECK(replace_file(folder / "missing/file", "new").error().kind == ErrorKind::environment); }
    SECTION("a folder has the name") {
        CHECK(!replace_file(folder / "inner", "new"));
        CHECK(fs::is_directory(folder / "inner"));
        CHECK(folder.entries() == 1);
    }
    CHECK(folder.read("inner/file") == "old");
}

TEST_CASE("executable_path is this test", "[sys]") { CHECK(executable_path().filename().string().rfind("test_", 0) == 0); }

}  // namespace
