#include "inputs/pip_lines.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "inputs/requirement.hpp"

namespace vmatrix::inputs {
namespace {

std::string quoted(std::string_view text) { return "`" + base::printable(text) + "`"; }

/// A file or an address where a name could stand. `name @ address` is a requirement.
bool is_path(std::string_view line) {
    const auto word = line.substr(0, line.find_first_of(" \t@;"));
    return word.starts_with('.') || word.find('/') != std::string_view::npos || word.find('\\') != std::string_view::npos || word.ends_with(".whl") || word.ends_with(".tar.gz");
}

}  // namespace

bool names_index(std::string_view option) {
    static constexpr std::array<std::string_view, 5> options{"-i", "--index-url", "--extra-index-url", "--index", "--default-index"};
    return std::ranges::find(options, option) != options.end();
}

base::Result<void> PipLines::add(std::string_view line, const base::Position& at) {
    line = base::trim(line);
    if (line.empty()) return {};
    if (line.starts_with('-')) {
        add_option(line, at);
        return {};
    }
    line = base::trim(line.substr(0, std::min(line.find(" --"), line.find("\t--"))));   // --hash and the like
    if (is_path(line)) {
        add_path(line, at);
        return {};
    }
    return found_.require(line, at);
}

void PipLines::add_option(std::string_view line, const base::Position& at) {
    const auto end = std::min(line.find_first_of("= \t"), line.size());
    const auto option = line.substr(0, end);
    const auto value = base::trim(line.substr(std::min(end + 1, line.size())));
    const auto is = [&](std::string_view brief, std::string_view full) { return option == brief || option == full; };
    if (names_index(option)) add_index(value, at);
    else if (is("-r", "--requirement") || is("-c", "--constraint")) found_.note(at, base::printable(value) + " is not read: name it with --from too");
    else if (is("-e", "--editable")) found_.note(at, quoted(value) + " is left out: an editable install has no version here");
    else found_.note(at, quoted(option) + " is left out: it chooses no version");
}

void PipLines::add_index(std::string_view address, const base::Position& at) {
    const std::string label = label_of_index(address);
    if (label.empty()) {
        found_.note(at, "the index " + quoted(address) + " does not tell for which CUDA or ROCm its builds are");
    } else if (!label_.empty() && label_ != label) {
        found_.note(at, "the index of " + label + " is left out: that of " + label_ + " stands before it");
    } else {
        label_ = label;
        found_.note(at, "builds are taken to be " + label + ", as the index " + quoted(address) + " says");
    }
}

void PipLines::add_path(std::string_view line, const base::Position& at) {
    const auto address = line.substr(0, line.find_first_of(" \t;"));
    const auto wheel = read_wheel_name(address);
    if (!wheel) found_.note(at, quoted(address) + " is left out: it does not tell a package and its version");
    else if (auto wished = found_.wish(wheel->name, wheel->versions, at); !wished) found_.note(at, quoted(address) + " is left out: " + wished.error().message);
}

}  // namespace vmatrix::inputs
