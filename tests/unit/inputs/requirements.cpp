#include "unit/inputs/support.hpp"

namespace {

using namespace vmatrix::inputs;

Inputs lines(std::string_view text, const std::optional<std::string>& python = {}) { return read("requirements.txt", text, python); }

TEST_CASE("requirements: names, versions, extras, comments and continued lines", "[inputs]") {
    const auto inputs = lines("\xEF\xBB\xBF# a comment\n\ntorch==2.6.0  # pinned\n  Torch_Vision [video] >= 0.20, <0.22\nnumpy (<2)\r\n"
                              "xformers \\\n  # between\n  ==0.0.29 \\\n  --hash=sha256:aaaa \\\n  --hash=sha256:bbbb\nplain\n");
    CHECK(wishes(inputs) == Texts{"3:1 torch==2.6.0", "4:3 Torch_Vision>= 0.20, <0.22", "5:1 numpy<2", "6:1 xformers==0.0.29", "11:1 plain"});
    CHECK(notes(inputs).empty());
    CHECK(wishes(lines("torch==2.6.0 \\")) == Texts{"1:1 torch==2.6.0"});
    CHECK(wishes(lines("")).empty());
}

TEST_CASE("requirements: an index tells the builds of lines without a label, also of those before it", "[inputs]") {
    const auto inputs = lines("torch==2.6.0\ntorchvision==0.21.0+cpu\n--extra-index-url https://download.pytorch.org/whl/cu124/\n");
    CHECK(wishes(inputs) == Texts{"1:1 torch==2.6.0 (cu124)", "2:1 torchvision==0.21.0+cpu"});
    CHECK(notes(inputs) == Texts{"3:1 builds are taken to be cu124, as the index `https://download.pytorch.org/whl/cu124/` says"});
    CHECK(wishes(lines("-i https://example.org/nightly/rocm6.2.4\ntorch")) == Texts{"2:1 torch (rocm6.2.4)"});
    CHECK(wishes(lines("--index-url=https://example.org/cpu\ntorch")) == Texts{"2:1 torch (cpu)"});
    for (const std::string_view other : {"https://pypi.org/simple", "https://example.org/cublas", "https://example.org/cu", "https://example.org/cu12x"}) {
        INFO(other);
        const auto plain = lines("--index-url " + std::string(other) + "\ntorch");
        CHECK(wishes(plain) == Texts{"2:1 torch"});
        CHECK(plain.notes.size() == 1);
    }
    const auto two = lines("--extra-index-url https://example.org/whl/cu121\n--extra-index-url https://example.org/whl/cu124\ntorch");
    CHECK(wishes(two) == Texts{"3:1 torch (cu121)"});
    CHECK(notes(two)[1] == "2:1 the index of cu124 is left out: that of cu121 stands before it");
}

TEST_CASE("requirements: what is not read is noted with its line", "[inputs]") {
    const auto inputs = lines("-r base.txt\n--constraint=c.txt\n-e git+https://example.org/a.git#egg=a\n--pre\n./local\n.\n../a/b.zip\n");
    CHECK(inputs.specs.empty());
    CHECK(notes(inputs) == Texts{"1:1 base.txt is not read: name it with --from too", "2:1 c.txt is not read: name it with --from too",
                                 "3:1 `git+https://example.org/a.git#egg=a` is left out: an editable install has no version here",
                                 "4:1 `--pre` is left out: it chooses no version", "5:1 `./local` is left out: it does not tell a package and its version",
                                 "6:1 `.` is left out: it does not tell a package and its version", "7:1 `../a/b.zip` is left out: it does not tell a package and its version"});
}

TEST_CASE("requirements: wheels tell a version and a label", "[inputs]") {
    const auto inputs = lines("torch @ https://example.org/whl/cu124/torch-2.6.0%2Bcu124-cp311-cp311-linux_x86_64.whl#sha256=aa ; sys_platform == \"linux\"\n"
                              "https://example.org/flash_attn-2.7.4-1-cp311-cp311-linux_x86_64.whl\n./dist/a_b-1.0-py3-none-any.whl\n"
                              "tool @ git+https://example.org/tool.git@main\nfrozen @ file:///croot/frozen_1/work\n");
    CHECK(wishes(inputs) == Texts{"1:1 torch==2.6.0+cu124", "2:1 flash_attn==2.7.4", "3:1 a_b==1.0", "4:1 tool", "5:1 frozen"});
    CHECK(notes(inputs) == Texts{"4:1 tool may have any version: `git+https://example.org/tool.git@main` does not tell it",
                                 "5:1 frozen may have any version: `file:///croot/frozen_1/work` does not tell it"});
}

TEST_CASE("requirements: markers", "[inputs]") {
    const auto kept = [](const std::string& marker, const std::optional<std::string>& python = {}) {
        const auto inputs = lines("torch ; " + marker, python);
        return std::string(inputs.specs.empty() ? "no" : "yes") + (inputs.notes.empty() ? "" : ", noted");
    };
    CHECK(kept("sys_platform == 'linux'") == "yes");
    CHECK(kept("sys_platform != \"win32\" and platform_system == \"Linux\"") == "yes");
    CHECK(kept("'linux' in sys_platform") == "yes");
    CHECK(kept("sys_platform not in 'win32 darwin'") == "yes");
    CHECK(kept("sys_platform == 'darwin' or os_name == 'posix'") == "yes");
    CHECK(kept("sys_platform == 'win32'") == "no, noted");
    CHECK(kept("extra == 'dev'") == "no, noted");
    CHECK(kept("platform_machine == 'x86_64'") == "yes, noted");
    CHECK(kept("platform_machine == 'arm64'") == "no, noted");
    CHECK(kept("platform_machine != 'arm64'") == "yes");
    CHECK(kept("sys_platform == 'darwin' and platform_machine == 'x86_64'") == "no, noted");
    CHECK(kept("python_version < '3.9'") == "yes, noted");
    CHECK(kept("python_version < '3.9'", "3.12") == "no, noted");
    CHECK(kept("python_version < '3.10'", "3.9.2") == "yes");
    CHECK(kept("'3.10' <= python_version", "3.9") == "no, noted");
    CHECK(kept("python_full_version >= '3.9.1'", "3.9.2") == "yes");
    CHECK(kept("python_full_version >= '3.9.1'", "3.9") == "yes, noted");
    CHECK(kept("(sys_platform == 'linux' and (python_version >= '3.8' or extra == 'x'))", "3.12") == "yes");
    CHECK(kept("implementation_name == 'pypy'") == "no, noted");
    CHECK(notes(lines("a; sys_platform=='win32'\n")) == Texts{"1:1 a is left out: `sys_platform=='win32'` does not hold on Linux"});
    const auto twice = lines("a; python_version<'4'\nb; python_version<'4'\n");
    CHECK(wishes(twice) == Texts{"1:1 a", "2:1 b"});
    CHECK(notes(twice) == Texts{"1:1 kept, though it is not known whether `python_version<'4'` holds; --python may tell"});
}

TEST_CASE("requirements: the output of pip freeze", "[inputs]") {
    const std::string_view text = "nvidia-cudnn-cu12==9.1.0.70\ntorch==2.5.1+cu124\n-e git+https://example.org/x.git@abc#egg=x\n";
    for (const char* file : {"freeze.txt", "whatever"}) {
        const auto inputs = read(file, text);
        CHECK(wishes(inputs) == Texts{"1:1 nvidia-cudnn-cu12==9.1.0.70", "2:1 torch==2.5.1+cu124"});
        CHECK(inputs.notes.size() == 1);
    }
}

TEST_CASE("requirements: mistakes have a place and say what was expected", "[inputs]") {
    CHECK(refused("a/requirements.txt", "numpy\n  torch=2.6\n") == "a/requirements.txt:2:3: expected `==`, found `=2.6`");
    CHECK(refused("r.txt", "torch 2.6") == "r.txt:1:1: expected one of == >= <= ~= != < > behind the name, found `2.6`");
    CHECK(refused("r.txt", "==2.6") == "r.txt:1:1: expected the name of a package, found `==2.6`");
    CHECK(refused("r.txt", "torch[a") == "r.txt:1:1: expected `]` behind the extras, found `[a`");
    CHECK(refused("r.txt", "torch ;") == "r.txt:1:1: expected a marker behind `;`, found nothing");
    CHECK(refused("r.txt", "torch>=2.8,<2.6") == "r.txt:1:1: no version can be `>=2.8,<2.6`");
    CHECK(refused("r.txt", "torch==two").starts_with("r.txt:1:1: "));
    CHECK(refused("r.txt", "a; sys_platform = 'x'") == "r.txt:1:1: the marker `sys_platform = 'x'`: expected a comparison such as `==` or `in`, found `= 'x'`");
    CHECK(refused("r.txt", "a; nonsense == 'x'").find("expected a text in quotes, or a name") != std::string::npos);
    CHECK(refused("r.txt", "a; sys_platform == 'x").find("expected the closing quote") != std::string::npos);
    CHECK(refused("r.txt", "a; (sys_platform == 'x'").find("expected `)`") != std::string::npos);
    CHECK(refused("r.txt", "a; " + std::string(5000, '(')).find("nested more than") != std::string::npos);
    CHECK(refused("r.txt", "python==3.11\npython==3.12\n") == "r.txt:2:1: Python ==3.12 contradicts ==3.11 of r.txt:1:1");
}

TEST_CASE("texts that are none are refused", "[inputs]") {
    CHECK(refused("r.txt", "torch\n\xFF\n") == "r.txt:2:1: expected text in UTF-8");
    CHECK(refused("r.txt", std::string_view("to\0rch", 6)) == "r.txt:1:3: expected text in UTF-8");
    CHECK(refused("r.txt", std::string_view("\xFF\xFEt\0o\0", 6)) == "r.txt:1:1: this is UTF-16, expected UTF-8");
    CHECK(refused("r.txt", std::string(max_bytes + 1, '#')) == "r.txt: a file has at most 4 MiB");
    CHECK(wishes(read("r.txt", std::string(max_bytes, '#'))).empty());
    CHECK(refused("r.txt", std::string(max_lines + 1, '\n')) == "r.txt: a file has at most 100000 lines");
    CHECK(refused("notes.md", "# Title\n\nSome words here.\n") == "notes.md: neither its name nor its content tells which kind of file this is");
    CHECK(read_inputs("x", "Some words here.").error().hint.find("pyproject.toml") != std::string::npos);
    CHECK(refused("x", "torch\nnumpy==abc\n") == "x:2:1: `==abc` is not a set of pep440 versions: expected a digit at character 3, found `a`");
}

TEST_CASE("a text that says nothing is told", "[inputs]") {
    for (const char* text : {"", "\n# a comment\n"}) CHECK(notes(read("x", text)) == Texts{"0:0 nothing is wanted here: no package, no Python, no image"});
    CHECK(notes(read("r.txt", "-r other.txt\n")).size() == 1);
}

}  // namespace
