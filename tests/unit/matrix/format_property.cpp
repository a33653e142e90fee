// Random facts, written down in every style that YAML has for them, with comments anywhere: formatted, they say the same, the
// comments are all there, and formatting again changes nothing.
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "matrix/format.hpp"
#include "matrix/read.hpp"
#include "model/schema.hpp"
#include "support/catch.hpp"

namespace {

using namespace vmatrix;
using model::Field;
using model::Kind;
using model::Type;

/// A page is made of thousands of choices: rapidcheck gives the seed and is not to shrink it, as no seed is smaller than another.
std::mt19937 choices;
std::size_t pick(std::size_t below) { return choices() % below; }
bool maybe(std::size_t in = 2) { return pick(in) == 0; }

template <class T>
T one_of(std::vector<T> values) {
    return values[pick(values.size())];
}

// ---- Values: what a field of a type may hold

std::string id() { return one_of<std::string>({"a", "sm_89", "gfx1100", "pytorch/pytorch", "a-b.c", "x:1"}); }

std::string free_text() {
    static const std::vector<std::string> words{
        "a",  "it's", "größe", "数字", "𝄞",        "#1",           "# no",      "a:",     ": b", "- c", "\"q\"", "{d}", "[e],", "f,",
        "no", "3.10", "~",     "*x",   "&y",       "!z",           "|",         ">-",     "%",   "@",   "`",     "\\",  "\\n",  "'",
        "''", "--",   "...",   "?",    "key: 'v'", "https://a/#b", "foo:\"bar", ", 'tis", "=",   "<<"};
    std::string text;
    const std::size_t count = maybe(8) ? 30 + pick(20) : 1 + pick(4);
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : maybe(20) ? "  " : maybe(20) ? "\n" : " ") + one_of(words);
    return text;
}

std::string text_of(const Field& field) {
    switch (field.type) {
        case Type::word: return std::string(one_of(field.words));
        case Type::integer: return one_of<std::string>({"1", "7", "12345"});
        case Type::number: return one_of<std::string>({"1", "24", "1.5"});
        case Type::boolean: return maybe() ? "true" : "false";
        case Type::date: return one_of<std::string>({"2025", "2025-11", "2025-11-11"});
        case Type::url: return one_of<std::string>({"https://example.org", "https://example.org/a#b?c=d,e"});
        case Type::repository: return "pytorch/pytorch";
        case Type::citation: return one_of<std::string>({"a", "a#b", "a#b c, d: e", "pytorch/pytorch#x.sh@0b54", "a# 'quoted'"});
        case Type::version:
        case Type::version_map: return one_of<std::string>({"2.9.1", "3.10", "c8757738", "1e5", "6.8.0-45-generic"});
        case Type::version_set:
        case Type::set_map: return one_of<std::string>({">=2.6,<2.8", "*", "==12.4.*", "!=1 || >=2"});
        case Type::dotted: return one_of<std::string>({"12", "12.8", "570.124.06"});
        case Type::kernel: return one_of<std::string>({"6.8", "6.14 HWE"});
        case Type::os: return one_of<std::string>({"ubuntu", "ubuntu:24.04"});
        case Type::python: return one_of<std::string>({"3.10", "3.13t"});
        case Type::platform: return one_of<std::string>({"linux-x86_64", "linux-aarch64"});
        case Type::pci: return one_of<std::string>({"10de:2684", "1002:744c:c8", "10de:20b0/10de:1450"});
        case Type::pci_vendor: return one_of<std::string>({"10de", "1002"});
        case Type::digest: return "sha256:" + std::string(64, one_of<char>({'0', 'a'}));
        case Type::requirement: return one_of<std::string>({"a==1", "nvidia-cudnn-cu12==9.1.0.70"});
        case Type::index: return one_of<std::string>({"pypi", "https://example.org/whl"});
        case Type::environment: return one_of<std::string>({"", "1", "11.0.0", "/opt/rocm"});
        case Type::text: return free_text();
        default: return id();
    }
}

// ---- Writing, in a style of the moment

struct Page {
    std::string text;
    std::vector<std::string> comments;
    std::size_t number = 0;
    bool folded = false;  ///< the last line is of a folded text, which would take a comment for its next

    std::string comment() {
        std::string note = "# " + std::to_string(number++) + one_of<std::string>({"", " it's", " \"open", " [a", " : b", " größe", " #"});
        comments.push_back(note);
        return note;
    }
    /// The end of a line, with or without a comment beside it.
    void line_end() { text += (maybe(6) ? std::string(1 + pick(3), ' ') + comment() : std::string(pick(8) == 0 ? 2 : 0, ' ')) + "\n"; }
    /// Blank lines and comments between lines.
    void between(std::size_t indent) {
        if (std::exchange(folded, false)) return;
        if (maybe(10)) text += "\n";
        if (maybe(6)) text += std::string(maybe(4) ? pick(8) : indent, ' ') + comment() + "\n";
    }
};

std::string double_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += c == '\n' ? std::string("\\n") : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "\"";
}

std::string single_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + "'";
}

std::string scalar(const Field& field, const std::string& text) {
    if (field.type == Type::integer || field.type == Type::number || field.type == Type::boolean) return text;
    const bool word = !text.empty() && text != "a:" &&
                      std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '/'; }) && text != "no" &&
                      text.front() != '-';
    if (word && maybe()) return text;
    return text.find('\n') == std::string::npos && maybe() ? single_quoted(text) : double_quoted(text);
}

std::string flow(const Field& field, const std::string& key = {});

std::string flow_list(const Field& field) {
    std::vector<std::string> items;
    Field item = field;
    item.list = false;
    const std::size_t count = maybe(8) ? 20 : pick(4);
    for (std::size_t i = 0; i < count; ++i) items.push_back(flow(item));
    return "[" + base::join(items, maybe() ? ", " : ",  ") + "]";
}

std::string flow_map(const Kind& kind);

std::string flow(const Field& field, const std::string&) {
    if (field.list) return flow_list(field);
    switch (field.type) {
        case Type::facts: return flow_map(*model::find_kind(field.target));
        case Type::list_map: {
            std::vector<std::string> entries;
            for (const char* key : {"linux-x86_64", "linux-aarch64"})
                if (maybe()) entries.push_back(std::string(key) + ": " + flow_list(field.list_of_item()));
            return "{" + base::join(entries, ", ") + "}";
        }
        case Type::version_map:
        case Type::set_map:
        case Type::environment: {
            std::vector<std::string> entries;
            const std::size_t count = maybe(8) ? 12 : pick(4);
            for (std::size_t i = 0; i < count; ++i) entries.push_back("KEY" + std::to_string(i) + ": " + scalar(field, text_of(field)));
            return "{" + base::join(entries, ", ") + "}";
        }
        default: return scalar(field, text_of(field));
    }
}

std::vector<const Field*> some_fields(const Kind& kind) {
    std::vector<const Field*> fields;
    for (const Field& field : kind.fields)
        if (field.required || maybe(3)) fields.push_back(&field);
    if (kind.name != "claim")
        for (const Field& field : model::common_fields())
            if (maybe(4)) fields.push_back(&field);
    for (std::size_t i = fields.size(); i > 1; --i) std::swap(fields[i - 1], fields[pick(i)]);
    return fields;
}

std::string flow_map(const Kind& kind) {
    std::vector<std::string> entries;
    for (const Field* field : some_fields(kind)) {
        if (field->type == Type::facts && maybe()) continue;
        entries.push_back(std::string(field->name) + ": " + flow(*field));
    }
    return "{" + base::join(entries, ", ") + "}";
}

void block_fields(const Kind& kind, std::size_t indent, bool with_id, Page& page);

void block_value(const Field& field, std::size_t indent, Page& page) {
    const std::string margin(indent + 2, ' ');
    if (field.list && maybe(3)) {  // a block list
        Field item = field;
        item.list = false;
        const std::size_t count = 1 + pick(3);
        page.line_end();
        for (std::size_t i = 0; i < count; ++i) {
            page.between(indent + 2);
            if (field.type == Type::facts && maybe()) {
                page.text += margin + "- ";
                block_fields(*model::find_kind(field.target), indent + 4, false, page);
            } else {
                page.text += margin + "- " + flow(item);
                page.line_end();
            }
        }
        return;
    }
    if (!field.list && field.type == Type::text && maybe(4)) {  // a folded text of simple words
        page.text += one_of<std::string>({" >-", " >", " |", " |-", " >+"});
        page.line_end();
        const std::size_t count = 1 + pick(3);
        for (std::size_t i = 0; i < count; ++i) page.text += margin + one_of<std::string>({"words", "# no comment", "it's: so", "- x", "\"q"}) + "\n";
        page.folded = true;
        return;
    }
    page.text += " " + flow(field);
    page.line_end();
}

void block_fields(const Kind& kind, std::size_t indent, bool with_id, Page& page) {
    bool first = true;
    const auto begin = [&] {
        if (!first) {
            page.between(indent);
            page.text += std::string(indent, ' ');
        }
        first = false;
    };
    const std::string id_value = "id" + std::to_string(page.number++);
    const auto fields = some_fields(kind);
    const std::size_t id_at = with_id ? pick(fields.size() + 1) : fields.size() + 1;
    for (std::size_t i = 0; i <= fields.size(); ++i) {
        if (i == id_at) {
            begin();
            page.text += "id: " + id_value;
            page.line_end();
        }
        if (i == fields.size()) break;
        begin();
        page.text += std::string(fields[i]->name) + ":";
        block_value(*fields[i], indent, page);
    }
    if (first) page.text += "{}\n";  // a claim has required fields, so this is for kinds to come
}

Page random_page() {
    Page page;
    page.between(0);
    std::vector<const Kind*> sections;
    for (const Kind& kind : model::kinds())
        if (!kind.section.empty() && maybe(12)) sections.push_back(&kind);
    if (sections.empty()) sections.push_back(model::find_kind("release"));
    for (const Kind* kind : sections) {
        page.between(0);
        page.text += std::string(kind->section) + ":";
        page.line_end();
        const std::size_t count = 1 + pick(3);
        for (std::size_t i = 0; i < count; ++i) {
            page.between(2);
            page.text += "  - ";
            if (maybe(3)) {
                page.text += flow_map(*kind);
                page.line_end();
            } else {
                block_fields(*kind, 4, kind->id.empty(), page);
            }
        }
    }
    page.between(0);
    return page;
}

// ---- Comparing

std::string content(const model::Value& value) {
    std::string all = "'" + value.text + "'";
    for (const auto& item : value.items) all += "[" + content(item) + "]";
    std::vector<std::string> members;
    for (const auto& [name, member] : value.members) members.push_back(name + "=" + content(member));
    std::ranges::sort(members);
    return all + "{" + base::join(members, ";") + "}";
}

std::vector<std::string> facts(const std::string& text) {
    base::Findings findings;
    const std::vector<matrix::SourceText> files{{"f.yaml", text}};
    const auto loaded = matrix::read(files, findings);
    std::vector<std::string> all;
    for (const auto& fact : loaded.facts()) {
        std::vector<std::string> fields;
        for (const auto& [name, value] : fact.fields) fields.push_back(name + "=" + content(value));
        std::ranges::sort(fields);
        all.push_back(std::string(fact.kind->name) + " " + fact.id + " " + base::join(fields, "\n  "));
    }
    return all;
}

/// Comments in the order of their numbers; all of them begin with one.
std::vector<std::string> comments_in(const std::string& text, const std::vector<std::string>& wanted) {
    std::vector<std::string> found;
    for (const std::string& comment : wanted)
        for (const auto line : base::split(text, '\n'))
            if (line.ends_with(comment)) {
                found.push_back(comment);
                break;
            }
    return found;
}

TEST_CASE("random facts in random styles are the same when formatted", "[fmt]") {
    const bool held = rc::check("format keeps facts and comments, and is idempotent", [] {
        choices.seed(*rc::gen::noShrink(rc::gen::arbitrary<std::uint32_t>()));
        const Page page = random_page();
        const auto once = matrix::format(page.text, "f.yaml");
        if (!once) RC_FAIL(once.error().message + "\n" + page.text);
        const auto twice = matrix::format(*once, "f.yaml");
        if (!twice) RC_FAIL(twice.error().message + "\n" + *once);
        if (*twice != *once) RC_FAIL("--- written\n" + page.text + "--- once\n" + *once + "--- twice\n" + *twice);
        RC_ASSERT(facts(*once) == facts(page.text));
        if (comments_in(*once, page.comments) != page.comments) RC_FAIL("lost comments\n--- written\n" + page.text + "--- once\n" + *once);
    });
    CHECK(held);
}

}  // namespace
