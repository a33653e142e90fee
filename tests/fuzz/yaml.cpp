/// Arbitrary bytes as a matrix file: parse, read, lint, format. Besides crashes, hangs and sanitizer reports this looks for
///   - a place of a finding that lies outside the file, a message that would disturb a terminal,
///   - a formatted file that says something else, or that is formatted differently the second time.
#include "yaml/yaml.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "matrix/format.hpp"
#include "matrix/grammar.hpp"
#include "matrix/lint.hpp"
#include "matrix/read.hpp"

namespace {

using vmatrix::base::Finding;
using vmatrix::base::Findings;
using vmatrix::yaml::Node;
using vmatrix::matrix::SourceText;
using vmatrix::model::Fact;
using vmatrix::model::Value;

/// What a fuzzed file may refer to, so that the second pass goes beyond "there is no such component".
constexpr std::string_view vocabulary = R"(
sources: [{id: s, title: s, address: "https://example.org", trust: vendor}]
vendors: [{id: nvidia, title: NVIDIA, pci: "10de", words: [geforce]}]
components:
  - {id: torch, title: torch, scheme: pep440}
  - {id: cuda, title: CUDA, scheme: dotted}
  - {id: triton, title: triton, scheme: opaque}
architectures: [{id: sm_89, vendor: nvidia, source: [s]}]
)";

[[noreturn]] void stop(const char* what, std::string_view before, std::string_view after = {}) {
    std::cerr << "fuzz_yaml: " << what << "\n--- before\n" << before << "\n--- after\n" << after << "\n---\n";
    std::abort();
}

bool harmless(std::string_view message) {
    return vmatrix::base::find_invalid_utf8(message) == std::string_view::npos &&
           std::ranges::none_of(message, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void check_findings(std::string_view text, const Findings& findings) {
    const auto lines = vmatrix::base::split(text, '\n');
    for (const Finding& finding : findings.sorted()) {
        if (!harmless(finding.message) || !harmless(finding.hint)) stop("a message with control characters", text, finding.message);
        if (finding.at.file != "f.yaml" || finding.at.line == 0) continue;
        if (finding.at.line > lines.size() || finding.at.column == 0 || finding.at.column > vmatrix::base::characters(lines[finding.at.line - 1]) + 1)
            stop("a place outside the file", text, to_string(finding.at) + " " + finding.message);
    }
}

/// The content without places and styles; members of maps in any order.
std::string content(const Node& node) {
    switch (node.form) {
        case Node::Form::null: return "null";
        case Node::Form::scalar: {
            const bool typed = node.style == Node::Style::plain && vmatrix::matrix::mistyped_when_plain(node.text);
            return (typed ? "plain:" : "text:") + node.text;
        }
        case Node::Form::sequence: {
            std::string all = "[";
            for (const Node& item : node.items) all += content(item) + "\x01";
            return all + "]";
        }
        case Node::Form::map: {
            std::vector<std::string> members;
            for (const auto& member : node.members) members.push_back(member.key + "\x02" + content(member.value));
            std::ranges::sort(members);
            return "{" + vmatrix::base::join(members, "\x03") + "}";
        }
    }
    return {};
}

std::string content(const Value& value) {
    std::string all = value.text;
    for (const Value& item : value.items) all += "\x01" + content(item);
    std::vector<std::string> members;
    for (const auto& [name, member] : value.members) members.push_back("\x02" + name + "\x03" + content(member));
    std::ranges::sort(members);
    return all + vmatrix::base::join(members, "\x04");
}

std::string facts(const std::string& text) {
    Findings findings;
    const std::vector<SourceText> files{{"a.yaml", std::string(vocabulary)}, {"f.yaml", text}};
    const auto matrix = vmatrix::matrix::read(files, findings);
    vmatrix::matrix::lint(matrix, findings);
    check_findings(text, findings);
    std::string all;
    for (const Fact& fact : matrix.facts()) {
        std::vector<std::string> fields;
        for (const auto& [name, value] : fact.fields) fields.push_back(name + "\x05" + content(value));
        std::ranges::sort(fields);
        all += std::string(fact.kind->name) + " " + fact.id + " " + fact.parent + "\x06" + vmatrix::base::join(fields, "\x07") + "\n";
    }
    for (const Finding& finding : findings.sorted())
        if (finding.code == "syntax") return "syntax\n" + all;
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Findings findings;
    const auto before = vmatrix::yaml::parse(text, "f.yaml", findings);
    check_findings(text, findings);
    if (!before && findings.errors() == 0) stop("refused without saying why", text);
    const std::string facts_before = facts(text);

    const auto formatted = vmatrix::matrix::format(text, "f.yaml");
    if (!formatted) {
        if (!harmless(formatted.error().message)) stop("a message with control characters", text, formatted.error().message);
        return 0;
    }
    if (!before || findings.errors() > 0) stop("formatted what cannot be read", text, *formatted);
    Findings again;
    const auto after = vmatrix::yaml::parse(*formatted, "f.yaml", again);
    if (!after || again.errors() > 0) stop("the formatted file cannot be read", text, *formatted);
    if (content(*before) != content(*after)) stop("the formatted file says something else", text, *formatted);
    if (facts(*formatted) != facts_before) stop("the formatted file has other facts", text, *formatted);
    const auto twice = vmatrix::matrix::format(*formatted, "f.yaml");
    if (!twice) stop("the formatted file cannot be formatted", text, *formatted + "\n" + twice.error().message);
    if (*twice != *formatted) stop("formatted differently the second time", *formatted, *twice);
    return 0;
}
