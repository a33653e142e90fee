#include "unit/inputs/support.hpp"

#include <algorithm>

namespace {

using namespace vmatrix::inputs;

Inputs project(std::string_view text, const std::optional<std::string>& python = {}) { return read("pyproject.toml", text, python); }

TEST_CASE("pyproject: dependencies and the Python of a project", "[inputs]") {
    const auto inputs = project("[project]\nname = 'x'\nrequires-python = \">=3.10,<3.13\"\ndynamic = ['version']\n"
                                "dependencies = [\n  \"torch>=2.6\",\n  'pywin32; sys_platform == \"win32\"',\n]\n"
                                "[project.optional-dependencies]\ngpu = ['xformers']\n[dependency-groups]\ndev = ['pytest']\n");
    CHECK(wishes(inputs) == Texts{"6:3 torch>=2.6"});
    CHECK(said(inputs.python) == "3:19 >=3.10,<3.13");
    CHECK(notes(inputs) == Texts{"7:3 pywin32 is left out: `sys_platform == \"win32\"` does not hold on Linux",
                                 "10:1 the group `gpu` is not read: only what is always installed", "12:1 the group `dev` is not read: only what is always installed"});
}

TEST_CASE("pyproject: indexes of uv", "[inputs]") {
    const auto inputs = project("[project]\ndependencies = ['torch==2.6.0', 'numpy']\n[tool.uv.sources]\ntorch = { index = 'pytorch' }\nx = { git = 'https://example.org/x' }\n"
                                "y = [{ index = 'pytorch', marker = \"a\" }, { index = 'other' }]\nTorch_Vision = [{ index = 'pytorch' }]\n"
                                "[[tool.uv.index]]\nname = 'pytorch'\nurl = 'https://example.org/whl/cu124'\nexplicit = true\n");
    CHECK(wishes(inputs) == Texts{"2:17 torch==2.6.0 (cu124)", "2:33 numpy"});
    CHECK(notes(inputs).size() == 4);
    const auto all = project("[project]\ndependencies = ['torch==2.6.0']\n[tool.uv]\nextra-index-url = ['https://example.org/whl/cu121']\n");
    CHECK(wishes(all) == Texts{"2:17 torch==2.6.0 (cu121)"});
    CHECK(notes(all) == Texts{"4:20 builds are taken to be cu121, as an index says"});
}

TEST_CASE("pyproject: dependencies of Poetry", "[inputs]") {
    const auto inputs = project("[tool.poetry.dependencies]\npython = '^3.10'\ntorch = {version = '~2.6.1', source = 'pt'}\nnumpy = '*'\nxformers = '0.0.29'\nold = '^0.3.1'\n"
                                "older = '^0.0.3'\neither = '>=1,<2 || ^3'\nspaced = '>= 1.2 <2'\nmaybe = {version = '1', optional = true}\nmany = [{version = '1'}, {version = '2'}]\n"
                                "git = {git = 'https://example.org/x'}\nwheel = {url = 'https://example.org/wheel-1.5-py3-none-any.whl'}\n"
                                "win = {version = '^1.0', markers = \"sys_platform == 'win32'\"}\none = '~1'\n"
                                "[[tool.poetry.source]]\nname = 'pt'\nurl = 'https://example.org/whl/cu118'\npriority = 'explicit'\n[tool.poetry.group.dev.dependencies]\npytest = '*'\n");
    Texts found = wishes(inputs);
    std::ranges::sort(found);
    CHECK(found == Texts{"13:1 wheel==1.5", "15:1 one>=1,<2", "3:1 torch>=2.6.1,<2.7 (cu118)", "4:1 numpy", "5:1 xformers==0.0.29", "6:1 old>=0.3.1,<0.4",
                         "7:1 older>=0.0.3,<0.0.4", "8:1 either>=1,<2 || >=3,<4", "9:1 spaced>=1.2,<2"});
    CHECK(said(inputs.python) == "2:1 >=3.10,<4");
    CHECK(inputs.notes.size() == 5);
}

TEST_CASE("pyproject: characters beyond ASCII in quotes and comments", "[inputs]") {
    const auto inputs = project("# ü\n\"ключ\" = 'é' # ö\n[project]\ndescription = \"\"\"a \\\n  \n  é \\\" é\"\"\"\"\"\nauthors = '''é'''\ndependencies = ['torch']\n");
    CHECK(wishes(inputs) == Texts{"8:17 torch"});
}

TEST_CASE("pyproject: mistakes have a place", "[inputs]") {
    CHECK(refused("pyproject.toml", "[project]\ndependencies = ['torch=2.6']\n") == "pyproject.toml:2:17: expected `==`, found `=2.6`");
    CHECK(refused("pyproject.toml", "[project]\ndependencies = 'torch'\n") == "pyproject.toml:2:16: expected a list of requirements");
    CHECK(refused("pyproject.toml", "[project]\ndependencies = [1]\n") == "pyproject.toml:2:17: expected a requirement such as \"torch>=2.6\"");
    CHECK(refused("pyproject.toml", "[project]\nrequires-python = 3.9\n") == "pyproject.toml:2:19: expected a text such as \">=3.10\" for requires-python");
    CHECK(refused("pyproject.toml", "[project]\nrequires-python = 'three'\n").starts_with("pyproject.toml:2:19: the Python: "));
    CHECK(refused("pyproject.toml", "[tool.poetry]\ndependencies = 3\n") == "pyproject.toml:2:16: expected a table of dependencies");
    CHECK(refused("pyproject.toml", "[tool.poetry.dependencies]\ntorch = '^two'\n").starts_with("pyproject.toml:2:1: "));
    CHECK(refused("pyproject.toml", "[project\n").starts_with("pyproject.toml:1:"));
    CHECK(refused("pyproject.toml", "a = " + std::string(100'000, '[')).starts_with("pyproject.toml:1:"));
    CHECK(refused("pyproject.toml", "a = 1\n  б = 'ü' # ö\n") == "pyproject.toml:2:3: expected ASCII, found `б`");
    CHECK(refused("pyproject.toml", "a = \"\"\"\\é\"\"\"\n").starts_with("pyproject.toml:1:"));
    CHECK(notes(project("[build-system]\n")) == Texts{"1:1 neither [project] nor [tool.poetry] has dependencies or a Python"});
}

}  // namespace
