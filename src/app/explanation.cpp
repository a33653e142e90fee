#include "app/explanation.hpp"

#include <algorithm>

#include "app/lines.hpp"
#include "app/repair_commands.hpp"
#include "base/text.hpp"

namespace vmatrix::app {
namespace {

using compat::Reason;
using compat::StoryLine;
using report::Tree;

Tree texts(const std::vector<std::string>& values) {
    Tree list = Tree::list();
    for (const std::string& value : values) list.items.push_back(Tree::of(value));
    return list;
}

/// A record needs no source, so that its id stands apart.
const model::Fact* find_fact(const model::Matrix& matrix, const std::string& id) {
    const model::Fact* fact = matrix.find(id);
    return fact ? fact : matrix.find("record", id);
}

/// "frameworks/torch-2.yaml:512"
std::string place(const model::Fact& fact) { return fact.at.file + ":" + std::to_string(fact.at.line); }

std::vector<std::string> places(const model::Matrix& matrix, const Reason& reason) {
    std::vector<std::string> all;
    for (const std::string& id : reason.facts)
        if (const model::Fact* fact = find_fact(matrix, id)) all.push_back(place(*fact));
    return all;
}

/// The facts of a line, each with its place and its first source.
void facts(Text& text, const model::Matrix& matrix, const Reason& reason) {
    for (const std::string& id : reason.facts) {
        const model::Fact* fact = find_fact(matrix, id);
        if (fact == nullptr) continue;
        const auto sources = fact->texts("source");
        text.item("       " + id + ", " + place(*fact) + (sources.empty() ? "" : " [" + std::string(sources.front()) + (sources.size() > 1 ? ", +" + std::to_string(sources.size() - 1) : "") + "]"));
    }
}

}  // namespace

void write_story(Text& text, const model::Matrix& matrix, const std::vector<StoryLine>& lines, Traces traces) {
    std::size_t number = 0;
    for (const StoryLine& line : lines) {
        const std::string indent(2 * line.depth, ' ');
        const bool is_case = line.wish.starts_with("with ") && !line.last;
        std::string sentence = line.wish.empty() ? line.reason.text + "." : is_case ? "Suppose " + line.wish.substr(5) + ":" : "Given: " + line.wish + ".";
        if (line.last && (line.wish.empty() || line.leaves != line.wish)) sentence += line.leaves.empty() ? " Nothing is left." : " That leaves " + line.leaves + ".";
        text.item(indent + std::to_string(++number) + ". " + sentence + (traces == Traces::sources ? sources_of(line.reason) : ""));
        if (traces == Traces::facts) facts(text, matrix, line.reason);
    }
}

Tree reason_record(const model::Matrix& matrix, const Reason& reason) {
    Tree record = Tree::record();
    record.set("layer", reason.layer).set("components", texts(reason.components)).set("text", reason.text);
    record.set("facts", texts(reason.facts)).set("at", texts(places(matrix, reason))).set("sources", texts(reason.sources));
    return record;
}

Tree story_records(const model::Matrix& matrix, const std::vector<StoryLine>& lines) {
    Tree list = Tree::list();
    for (const StoryLine& line : lines) {
        Tree record = Tree::record();
        record.set("wish", line.wish).set("reason", line.wish.empty() ? reason_record(matrix, line.reason) : Tree());
        record.set("leaves", line.leaves).set("depth", Tree::number(line.depth));
        list.items.push_back(std::move(record));
    }
    return list;
}

std::string explanation_text(const model::Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer) {
    Text text;
    for (const std::string& line : answer.meaning) text.line(line);
    text.gap();
    if (answer.stacks.empty()) {
        text.line("No stack does it, step by step:");
        write_story(text, matrix, answer.story, Traces::facts);
        if (!answer.repairs.empty()) text.heading("What helps");
        for (const compat::Repair& repair : answer.repairs) {
            text.item("- " + repair.text);
            for (const std::string& command : repair_commands(matrix, host, repair)) text.item("    " + command);
        }
        return text.take();
    }
    const compat::Stack& best = answer.stacks.front();
    std::vector<std::string> parts;
    for (const compat::Build& build : best.builds) parts.push_back(build.title());
    for (const char* const name : {"cuda", "rocm", "python", "driver"})
        if (const auto found = best.components.find(name); found != best.components.end()) parts.push_back(std::string(name) + " " + found->second);
    text.line(base::join(parts, ", ") + " is " + std::string(to_string(best.level)) + ", because:");
    for (const Reason& reason : best.reasons) {
        text.item("- " + reason.text);
        facts(text, matrix, reason);
    }
    for (const std::string& assumed : best.assumptions) text.item("- assumed: " + assumed);
    if (!answer.why_nothing_better.empty()) {
        text.heading("Why nothing newer at this level, step by step:");
        write_story(text, matrix, answer.why_nothing_better, Traces::facts);
    }
    return text.take();
}

}  // namespace vmatrix::app
