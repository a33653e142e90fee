/// Arbitrary bytes as a file of each kind that `--from` reads. Besides crashes, hangs and sanitizer reports this looks for a place outside
/// the file, a message that would disturb a terminal, and a wish or a Python that cannot be read again.
#include "inputs/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "version/version_set.hpp"

namespace {

using vmatrix::inputs::Inputs;

[[noreturn]] void stop(const char* what, std::string_view text, std::string_view said) {
    std::cerr << "fuzz_inputs: " << what << "\n--- text\n" << text << "\n--- said\n" << said << "\n---\n";
    std::abort();
}

void check_message(std::string_view text, std::string_view message) {
    const bool control = std::ranges::any_of(message, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (control || vmatrix::base::find_invalid_utf8(message) != std::string_view::npos) stop("a message with control characters", text, message);
}

void check_place(std::string_view text, const vmatrix::base::Position& at) {
    const auto lines = vmatrix::base::split(text, '\n');
    if (at.line == 0 || at.line > lines.size() || at.column == 0 || at.column > vmatrix::base::characters(lines[at.line - 1]) + 1)
        stop("a place outside the file", text, to_string(at));
}

void check_versions(std::string_view text, std::string_view versions) {
    using namespace vmatrix::version;
    if (!versions.empty() && !VersionSet::parse(Scheme::pep440, versions)) stop("versions that cannot be read", text, versions);
}

void check(std::string_view text, const Inputs& inputs) {
    for (const auto& wish : inputs.specs) {
        check_place(text, wish.at);
        check_versions(text, std::string_view(wish.text).substr(std::min(wish.text.find_first_of("=<>!~* "), wish.text.size())));
    }
    for (const auto& note : inputs.notes) {
        if (note.at.line != 0) check_place(text, note.at);  // 0: the note is about the whole file
        check_message(text, note.text);
    }
    if (inputs.python) check_versions(text, inputs.python->text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const char* name : {"requirements.txt", "pyproject.toml", "x.yaml", "Dockerfile", "unnamed"}) {
        const auto inputs = vmatrix::inputs::read_inputs(name, text, size % 2 == 0 ? std::optional<std::string>() : "3.12.1");
        if (inputs) check(text, *inputs);
        else check_message(text, inputs.error().message);
    }
    return 0;
}
