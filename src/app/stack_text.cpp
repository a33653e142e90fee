#include "app/stack_text.hpp"

#include <algorithm>
#include <array>

#include "app/advice.hpp"
#include "app/explanation.hpp"
#include "app/install_commands.hpp"
#include "app/lines.hpp"
#include "app/repair_commands.hpp"
#include "base/text.hpp"
#include "compat/check.hpp"

namespace vmatrix::app {
namespace {

using compat::Level;
using compat::Reason;
using compat::Repair;
using compat::Stack;
using model::Matrix;

/// The parts of a stack that a person chooses, in the order of a sentence; the rest follows by itself.
constexpr std::array<std::string_view, 7> leading{"torch", "cuda", "rocm", "python", "driver", "torchvision", "torchaudio"};

std::string_view meaning(Level level) {
    switch (level) {
        case Level::supported: return "supported: documented by the vendor, or built for exactly this";
        case Level::verified: return "verified: a record says that exactly this passed its smoke tests";
        case Level::expected: return "expected: follows from general rules, nobody documents exactly this";
        case Level::workaround: return "workaround: needs more than its makers support, or than a plain installation";
        case Level::unknown: return "unknown: the matrix lacks a fact";
        case Level::broken: return "broken";
    }
    return {};
}

std::string padded(const std::string& text) {
    constexpr std::size_t width = 14;
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text + " ";
}

void reasons(Text& text, const std::string& title, const std::vector<Reason>& all, std::size_t most) {
    if (all.empty()) return;
    text.heading(title);
    for (const Reason& reason : all) {
        if (most-- == 0) break;
        text.item("- " + reason.text + sources_of(reason));
    }
}

void repairs(Text& text, const Matrix& matrix, const compat::Host& host, const std::vector<Repair>& all) {
    if (all.empty()) return;
    text.heading("What helps");
    for (const Repair& repair : all) {
        text.item("- " + repair.text);
        for (const std::string& command : repair_commands(matrix, host, repair)) text.item("    " + command);
    }
}

void exports(Text& text, const std::map<std::string, std::string>& environment, const std::string& when = "Set before you start it") {
    std::vector<std::string> lines;
    for (const auto& [name, value] : environment) lines.push_back("export " + name + "=" + value);
    text.items(when, lines);
}

std::string issue_line(const model::Fact& issue) {
    const auto states = issue.texts("state"), sources = issue.texts("source");
    std::string line = "- ";
    for (const auto& state : states) line += (&state == &states.front() ? "if " : " and ") + std::string(state);
    line += (states.empty() ? "" : ": ") + std::string(issue.text("text"));
    if (const auto advice = issue.text("advice"); !advice.empty()) line += " " + std::string(advice);
    return line + " [" + std::string(sources.front()) + "]";
}

/// What goes wrong; on request what is only worth knowing, and what turns on something that nobody told.
void issues(Text& text, const std::vector<const model::Fact*>& all, Detail detail) {
    std::vector<std::string> known, possible;
    std::size_t notes = 0;
    for (const model::Fact* issue : all) {
        const bool decided = issue->texts("state").empty();
        const bool note = decided && issue->text("severity") == "info" && detail == Detail::brief;
        if (note) ++notes;
        else (decided ? known : possible).push_back(issue_line(*issue));
    }
    if (notes > 0) known.push_back("- " + std::to_string(notes) + (notes == 1 ? " note more" : " notes more") + " with --explain");
    text.items("Known issues", known);
    if (detail == Detail::explained) text.items("It may also meet", possible);
}

/// The name, and what it holds where that is not just the stack.
std::string image_text(const Stack& stack) {
    std::vector<std::string> others;
    for (const auto name : leading) {
        const model::Value* inside = stack.image ? stack.image->find("bundles", name) : nullptr;
        const auto own = stack.components.find(std::string(name));
        if (inside && own != stack.components.end() && !own->second.starts_with(inside->text)) others.push_back(std::string(name) + " " + inside->text);
    }
    return stack.image_name + (others.empty() ? "" : ", which holds " + base::join(others, ", "));
}

void components(Text& text, const Stack& stack) {
    std::vector<std::string> packages;
    for (const compat::Build& build : stack.builds)
        if (std::ranges::find(leading, build.package) == leading.end()) packages.push_back(build.package);
    const auto row = [&](const std::string& name, const std::string& version) {
        const auto runtime = stack.runtimes.find(name);
        text.item(padded(name) + version + (runtime == stack.runtimes.end() ? "" : ", on " + runtime->second));
    };
    for (const std::string& name : packages) row(name, stack.components.at(name));
    for (const auto name : leading)
        if (const auto found = stack.components.find(std::string(name)); found != stack.components.end()) row(found->first, found->second);
    std::vector<std::string> rest;
    for (const auto& [name, version] : stack.components)
        if (std::ranges::find(leading, name) == leading.end() && std::ranges::find(packages, name) == packages.end()) rest.push_back(name + " " + version);
    if (!rest.empty()) text.item(padded("with") + base::join(rest, ", "));
    if (!stack.image_name.empty()) text.item(padded("image") + image_text(stack));
    for (const auto& [name, value] : stack.environment) text.item(padded("set") + name + "=" + value);
}

std::string short_title(const Stack& stack) {
    std::string text;
    for (const auto name : leading)
        if (const auto found = stack.components.find(std::string(name)); found != stack.components.end() && text.find(", ") == std::string::npos)
            text += (text.empty() ? "" : ", ") + found->first + " " + found->second;
    return text + " (" + std::string(to_string(stack.level)) + ")";
}

/// What another stack gains and loses against the best.
std::string compare(const Stack& best, const Stack& other) {
    std::vector<std::string> differences;
    std::vector<std::string> names;
    for (const compat::Build& build : best.builds) names.push_back(build.package);
    for (const char* const name : {"cuda", "rocm", "python", "driver"}) names.emplace_back(name);
    for (const std::string& name : names) {
        const auto a = best.components.find(name), b = other.components.find(name);
        if (a == best.components.end() || b == other.components.end() || a->second == b->second) continue;
        differences.push_back(name + " " + b->second + " instead of " + a->second);
    }
    std::string text = base::join(differences, ", ");
    if (text.empty()) text = "another build";
    if (other.level != best.level) text += "; " + std::string(to_string(other.level)) + " instead of " + std::string(to_string(best.level));
    if (other.level < best.level && !other.reasons.empty()) text += ": " + other.reasons.front().text;
    return text;
}

void stack(Text& text, const Matrix& matrix, const compat::Host& host, const Stack& best, Detail detail) {
    components(text, best);
    text.gap();
    text.line("How it is known: " + std::string(meaning(best.level)));
    text.items("Before you start", host_advice(matrix, host, best));
    const bool at_once = std::ranges::any_of(best.builds, [](const compat::Build& build) { return build.fact && build.fact->find("environment"); });
    if (at_once) exports(text, best.environment, "Set before you install and start it");
    text.items("Install", install_commands(matrix, best.builds, host));
    if (!at_once) exports(text, best.environment);
    text.items("See that the GPU works", proof_commands(best));
    issues(text, best.issues, detail);
    text.items("Assumed", best.assumptions);
    constexpr std::size_t few = 3, all = 100;
    reasons(text, "Why", best.reasons, detail == Detail::brief ? few : all);
}

}  // namespace

std::string to_text(const Matrix& matrix, const compat::Host& host, const compat::CheckAnswer& answer, Detail detail) {
    Text text;
    text.line(std::string(compat::verdict(answer.level)) + (answer.reasons.empty() ? "" : ": " + answer.reasons.front().text + sources_of(answer.reasons.front())));
    if (answer.level != Level::broken) text.line("How it is known: " + std::string(meaning(answer.level)));
    constexpr std::size_t few = 2, all = 100;
    if (answer.reasons.size() > 1) reasons(text, "Also", {answer.reasons.begin() + 1, answer.reasons.end()}, detail == Detail::brief ? few : all);
    exports(text, answer.environment);
    issues(text, answer.issues, detail);
    text.items("Assumed", answer.assumptions);
    repairs(text, matrix, host, answer.repairs);
    return text.take();
}

std::string to_text(const Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer, Detail detail) {
    Text text;
    for (const std::string& line : answer.meaning) text.line(line);
    text.gap();
    if (answer.stacks.empty()) {
        text.line("No stack does it.");
        text.heading("Why not");
        write_story(text, matrix, answer.story, Traces::sources);
        reasons(text, "What ended for this card", answer.limits, 100);
        repairs(text, matrix, host, answer.repairs);
        return text.take();
    }
    stack(text, matrix, host, answer.stacks.front(), detail);
    reasons(text, "What ends for this card", answer.limits, 100);
    if (answer.stacks.size() > 1) text.heading("Instead");
    for (std::size_t i = 1; i < answer.stacks.size(); ++i) text.item("- " + compare(answer.stacks.front(), answer.stacks[i]));
    if (answer.workaround) text.items("With an override", {"- " + short_title(*answer.workaround) + ": " + answer.workaround->reasons.front().text});
    return text.take();
}

}  // namespace vmatrix::app
