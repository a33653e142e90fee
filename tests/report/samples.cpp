/// Prints trees that are hard to write, each as JSON and as YAML, for read_back.py: text\0text\0...
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/format.hpp"

namespace {

using namespace std::literals;
using vmatrix::report::Format;
using vmatrix::report::Tree;

// clang-format off
const std::vector<std::string> hard_texts{
    // words and numbers, signs of YAML, controls, letters, invisible characters
    "", " ", "  two", "two  ", "no", "y", "true", "~", "null", "1.10", "3", "0x1F", "0o17", "1e3", "1:20", "2025-11-11",
    ".inf", "=", "<<", "-", "--", "---", "...", "- a", "? a", ": ", "a: b", "a:", "# x", "a # b", "#", "&a", "*a", "!a",
    "!!str a", "%a", "@a", "`a", "|", ">", "[", "]", "{", "}", "[a]", "{a: b}", ",", "'", "\"", "''", "\\", "\\n",
    "a\nb", "a\n\nb\n", "\n", "\t", "a\tb", "\r", "\r\n", "größe", "数字", "𝄞", "e\u0301", "\u00A0", "\x01", "\x1b[31m",
    "\x7f", "\u0085", "\u009b", "\u2028", "\u2029", "\u202e", "\ufeff", "\ue000", "\ufffd", std::string("a\0b", 3),
    "</script>", "a/b", std::string(300, 'x'),
    "word word word word word word word word word word word word word word word word word word word word word word word word word"
};
// clang-format on

std::vector<Tree> samples() {
    std::vector<Tree> all{
        Tree{}, Tree::boolean(true), Tree::list(), Tree::record(), Tree::number("0"), Tree::number("-1.5"), Tree::number(18446744073709551615ULL)};
    Tree list = Tree::list(), keys = Tree::record(), rows = Tree::list();
    for (const std::string& text : hard_texts) {
        all.push_back(Tree::of(text));
        all.push_back(std::move(Tree::record().set(text, Tree::of(text))));
        list.items.push_back(Tree::of(text));
        keys.set(text, Tree::of(text));
        rows.items.push_back(std::move(Tree::record().set(text, Tree::list({Tree::of(text), Tree::record(), Tree::list()})).set("id", text)));
    }
    all.insert(all.end(), {list, keys, rows});
    Tree deep = Tree::of("deep");
    for (int i = 0; i < 40; ++i)
        deep = i % 3 == 0   ? Tree::list({deep})
               : i % 3 == 1 ? std::move(Tree::record().set("a", deep).set("b", Tree{}))
                            : Tree::list({deep, deep.items.empty() ? Tree::list() : Tree::of("x")});
    all.push_back(deep);
    all.push_back(Tree::list({Tree::list({Tree::list()}), Tree::list({Tree::record(), Tree{}, Tree::boolean(false), Tree::number("7")})}));
    return all;
}

}  // namespace

int main() {
    for (const Tree& tree : samples()) std::cout << render(tree, Format::json) << '\0' << render(tree, Format::yaml) << '\0';
}
