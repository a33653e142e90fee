#include "cli/request_options.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "base/text.hpp"
#include "compat/builds.hpp"

namespace vmatrix::cli {
namespace {

constexpr std::array<compat::Level, 5> least_levels{compat::Level::verified, compat::Level::supported, compat::Level::expected, compat::Level::workaround, compat::Level::unknown};

std::optional<std::string> given(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

/// "--cuda 12.4" is "cuda==12.4", "--cuda '>=12'" is "cuda>=12".
base::Result<std::string> runtime_wish(const std::string& name, const std::string& versions) {
    if (const auto label = compat::runtime_of_label(versions))
        return base::fail("--" + name + " wants a version, found the label `" + base::printable(versions) + "`", "--" + label->component + " " + label->version.str(), base::ErrorKind::usage);
    return name + (versions.find_first_of("=<>!~") == std::string::npos ? "==" + versions : versions);
}

/// "driver==570.124.06" among the packages is the option --driver.
base::Result<bool> take_host_spec(compat::Request& request, const compat::Spec& spec) {
    const std::map<std::string, std::optional<std::string>*> parts{{"driver", &request.driver}, {"kernel", &request.kernel}, {"python", &request.python}};
    const auto found = parts.find(spec.name);
    if (found == parts.end()) return false;
    const bool exact = spec.versions.starts_with("==") && spec.versions.find_first_of("*,|=", 2) == std::string::npos;
    const std::string value(base::trim(std::string_view(spec.versions).substr(exact ? 2 : 0)));
    std::optional<std::string>& part = *found->second;
    if (!exact) return base::fail("`" + base::printable(spec.text) + "`: name the one that the host has", spec.name + "==VERSION, or leave it out where it may be any", base::ErrorKind::usage);
    if (part && *part != value) return base::fail("`" + base::printable(spec.text) + "` and --" + spec.name + " " + base::printable(*part) + " contradict each other", "give one of them", base::ErrorKind::usage);
    part = value;
    return true;
}

/// "ubuntu:24.04"; "windows", "wsl2" and "wsl2:ubuntu:24.04" too.
bool is_system(const std::string& text) {
    std::string_view rest = text;
    for (const std::string_view wsl : {"wsl2", "wsl"})
        if (rest == wsl || (rest.starts_with(wsl) && rest.substr(wsl.size()).starts_with(':'))) {
            if (rest == wsl) return true;
            rest.remove_prefix(wsl.size() + 1);
            break;
        }
    const auto colon = rest.find(':');
    return rest == "windows" || (colon != std::string_view::npos && colon > 0 && colon + 1 < rest.size() && rest.find(':', colon + 1) == std::string_view::npos);
}

/// The signs that only answers write are taken for a slip of the keyboard.
base::Result<compat::Spec> read_spec(const std::string& text) {
    auto spec = compat::parse_spec(text);
    if (!spec) return spec;
    for (const std::string_view sign : {">>", "<<", "!>", "!*"})
        if (spec->versions.find(sign) != std::string::npos)
            return base::fail("`" + base::printable(text) + "`: pip has no `" + std::string(sign) + "`", "write > or >=, < or <=, != or ==, such as \"" + spec->name + ">=2,<3\"", base::ErrorKind::usage);
    return spec;
}

base::Result<void> add_spec(compat::Request& request, const std::string& text) {
    auto spec = read_spec(text);
    if (!spec) return tl::make_unexpected(spec.error());
    for (const compat::Spec& other : request.specs)
        if (other.name == spec->name && other.versions != spec->versions)
            return base::fail("`" + base::printable(other.text) + "` and `" + base::printable(text) + "` both ask for " + spec->name, "ask once: \"" + spec->name + ">=2.6,<2.8\" holds two bounds", base::ErrorKind::usage);
    const auto taken = take_host_spec(request, *spec);
    if (!taken) return tl::make_unexpected(taken.error());
    if (!*taken) request.specs.push_back(std::move(*spec));
    return {};
}

/// "torch=2.8" prefers any 2.8; "torch==2.8.0", "torch>=2.8,<2.10" and so on as for pip.
base::Result<compat::Spec> preference(const std::string& text) {
    const auto equals = text.find('=');
    const bool plain = equals != std::string::npos && equals > 0 && text.find_first_of("=<>!~", equals + 1) == std::string::npos && std::string_view("<>!~").find(text[equals - 1]) == std::string_view::npos;
    auto spec = read_spec(plain ? text.substr(0, equals) + "==" + text.substr(equals + 1) + ".*" : text);
    if (spec && spec->versions.empty()) return base::fail("--prefer wants versions, found `" + base::printable(text) + "`", "such as torch=2.8", base::ErrorKind::usage);
    return spec;
}

/// Versions that cannot be read are told before anything is solved.
base::Result<void> check_versions(const compat::Spec& spec) {
    const bool dotted = spec.name == "cuda" || spec.name == "rocm" || spec.name == "driver";
    const auto set = compat::read_versions(spec, dotted ? version::Scheme::dotted : version::Scheme::pep440);
    return set ? base::Result<void>{} : tl::make_unexpected(set.error());
}

base::Result<void> add_choices(compat::Request& request, const RequestOptions& options) {
    for (const std::string& text : options.prefer) {
        auto spec = preference(text);
        if (!spec) return tl::make_unexpected(spec.error());
        if (auto readable = check_versions(*spec); !readable) return readable;
        request.prefer.push_back(std::move(*spec));
    }
    for (const std::string& text : options.exclude) {
        auto spec = read_spec(text);
        if (!spec) return tl::make_unexpected(spec.error());
        if (auto readable = check_versions(*spec); !readable) return readable;
        request.exclude.push_back(std::move(*spec));
    }
    for (const auto& [name, policy] : compat::policies)
        if (name == options.policy) request.policy = policy;
    for (const compat::Level level : least_levels)
        if (to_string(level) == options.least) request.least = level;
    return {};
}

/// A variable of a script that was never set must not read as "not known".
const CLI::Validator not_empty([](const std::string& value) { return value.empty() ? std::string("the value is empty; leave the option out where it is not known") : std::string(); }, "", "not empty");

}  // namespace

base::Result<compat::Request> RequestOptions::request() const {
    compat::Request request;
    request.gpus = gpus;
    request.driver = given(driver);
    request.os = given(os);
    request.kernel = given(kernel);
    request.python = given(python);
    request.image = given(image);
    for (const std::string& text : environment) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0) return base::fail("--env wants NAME=VALUE, found `" + base::printable(text) + "`", {}, base::ErrorKind::usage);
        const auto [entry, fresh] = request.environment.try_emplace(text.substr(0, equals), text.substr(equals + 1));
        if (!fresh && entry->second != text.substr(equals + 1)) return base::fail("--env " + base::printable(entry->first) + " is given twice, with two values", {}, base::ErrorKind::usage);
    }
    request.of_framework = !cuda.empty() || !rocm.empty();
    std::vector<std::string> specs = with;
    for (const auto& [name, versions] : {std::pair("cuda", &cuda), std::pair("rocm", &rocm)}) {
        if (versions->empty()) continue;
        auto wish = runtime_wish(name, *versions);
        if (!wish) return tl::make_unexpected(wish.error());
        specs.push_back(std::move(*wish));
    }
    for (const std::string& text : specs)
        if (auto added = add_spec(request, text); !added) return tl::make_unexpected(added.error());
    if (auto added = add_choices(request, *this); !added) return tl::make_unexpected(added.error());
    if (request.os && !is_system(*request.os))
        return base::fail("--os wants ID:VERSION, found `" + base::printable(*request.os) + "`", "such as ubuntu:24.04, as /etc/os-release says; wsl2:ubuntu:24.04 and windows:11 too", base::ErrorKind::usage);
    return request;
}

void add_request_options(CLI::App& app, RequestOptions& options) {
    app.add_option("--gpu", options.gpus, "Card: rx7900, \"RTX 4090\", 10de:2684, gfx1100; repeat it for several cards in one host")->type_name("NAME")->allow_extra_args(false);
    app.add_option("--driver", options.driver, "Driver of the host: 570.124.06, or the newest of a branch: 570; amdgpu by AMD's release number")->type_name("VERSION");
    app.add_option("--os", options.os, "Operating system: ubuntu:24.04, wsl2:ubuntu:24.04, windows:11")->type_name("ID:VERSION");
    app.add_option("--kernel", options.kernel, "Kernel, as uname -r says")->type_name("VERSION");
    app.add_option("--python", options.python, "Python: 3.12")->type_name("VERSION");
    app.add_option("--env", options.environment, "Variable of the environment; repeatable")->type_name("NAME=VALUE")->allow_extra_args(false);
    app.add_option("--image", options.image, "Container image that it runs in")->type_name("REF");
    app.add_option("--from", options.from, "File with what is wanted: requirements.txt, pyproject.toml, environment.yml, Dockerfile, cog.yaml; - for standard input; repeatable")->type_name("FILE")->allow_extra_args(false);
    app.add_option("--cuda", options.cuda, "CUDA that the framework uses: 12.4 or \">=12\"")->type_name("VERSIONS");
    app.add_option("--rocm", options.rocm, "ROCm that the framework uses")->type_name("VERSIONS");
    app.add_option("--matrix", options.matrix, "Folder of YAML files; default: $VMATRIX_MATRIX, then the installed matrix")->type_name("FOLDER");
    for (CLI::Option* option : app.get_options())
        if (option->get_expected_max() > 0) option->check(not_empty);
    app.add_flag("--explain", options.explain, "Show every reason with its sources");
}

void add_choice_options(CLI::App& app, RequestOptions& options) {
    std::vector<std::string> names, levels;
    for (const auto& [name, policy] : compat::policies) names.emplace_back(name);
    for (const compat::Level level : least_levels) levels.emplace_back(to_string(level));
    app.add_option("--policy", options.policy, "What is better among stacks that work: " + base::join(names, ", "))->type_name("NAME")->check(CLI::IsMember(names))->capture_default_str();
    app.add_option("--min-evidence", options.least, "Offer nothing that is known less well: " + base::join(levels, ", "))->type_name("LEVEL")->check(CLI::IsMember(levels))->capture_default_str();
    app.add_option("--prefer", options.prefer, "Take it where all else allows: torch=2.8, python=3.11, driver=570; repeatable")->type_name("SPEC")->allow_extra_args(false)->check(not_empty);
    app.add_option("--exclude", options.exclude, "Never take it: torch==2.9.*, cuda>=13, or a package at all; repeatable")->type_name("SPEC")->allow_extra_args(false)->check(not_empty);
}

}  // namespace vmatrix::cli
