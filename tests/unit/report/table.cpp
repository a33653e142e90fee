#include "report/table.hpp"

#include <string>

#include "support/catch.hpp"

namespace {

using namespace vmatrix::report;

Table one_cell(const std::string& text) { return {"T", {}, {"c"}, {{{text}}}, {}}; }

/// The one row of a table, as it is written.
std::string markdown_cell(const std::string& text) {
    const std::string out = render(one_cell(text), TableFormat::markdown), before = "| --- |\n| ";
    const auto from = out.find(before) + before.size();
    return out.substr(from, out.rfind(" |\n") - from);
}

std::string csv_cell(const std::string& text) { return render(one_cell(text), TableFormat::csv).substr(std::string("c\r\n").size()); }

std::string html_cell(const std::string& text) {
    const std::string out = render(one_cell(text), TableFormat::html), before = "<td>";
    const auto from = out.find(before) + before.size();
    return out.substr(from, out.find("</td>") - from);
}

TEST_CASE("formats of tables have names", "[report][table]") {
    CHECK(parse_table_format("markdown") == TableFormat::markdown);
    CHECK(parse_table_format("csv") == TableFormat::csv);
    CHECK(parse_table_format("html") == TableFormat::html);
    for (const char* name : {"", "md", "HTML", "text", "csv "}) CHECK(!parse_table_format(name).has_value());
}

TEST_CASE("records become rows, lists texts below each other", "[report][table]") {
    Tree rows = Tree::list();
    rows.items.push_back(Tree::record().set("a", "1").set("b", Tree::list({Tree::of("x"), Tree::record().set("k", "v").set("w", Tree::boolean(true))})));
    rows.items.push_back(Tree::record().set("c", Tree::boolean(false)).set("a", Tree()));
    const Table table = to_table("T", rows);
    CHECK(table.title == "T");
    CHECK(table.columns == std::vector<std::string>{"a", "b", "c"});
    CHECK(table.rows == std::vector<std::vector<Cell>>{{{"1"}, {"x", "k v, w true"}, {}}, {{""}, {}, {"false"}}});
}

TEST_CASE("Markdown is a pipe table with notes and numbered sources", "[report][table]") {
    const Table table{"Cards", {"A note."}, {"card", "builds"}, {{{"A", "B"}, {}}, {{"C"}, {"cu128"}}}, {{"page", "A page", "https://example.org/a"}, {"post", "A post", ""}}};
    CHECK(render(table, TableFormat::markdown) ==
          "# Cards\n\n| card | builds |\n| --- | --- |\n| A<br>B | |\n| C | cu128 |\n\nA note.\n\n## Sources\n\n1. page: A page <https://example.org/a>\n2. post: A post\n");
}

TEST_CASE("in Markdown a text marks nothing", "[report][table]") {
    CHECK(markdown_cell("a|b") == "a\\|b");
    CHECK(markdown_cell("a\\|b") == "a\\\\\\|b");
    CHECK(markdown_cell("<script>") == "&lt;script>");
    CHECK(markdown_cell("&lt;b") == "&amp;lt;b");
    CHECK(markdown_cell("*a* `b` [c](d) ~~e~~") == "\\*a\\* \\`b\\` \\[c\\](d) \\~\\~e\\~\\~");
    CHECK(markdown_cell("a\nb\r\nc\td") == "a b  c d");
    CHECK(markdown_cell("HSA_OVERRIDE_GFX_VERSION=11.0.0") == "HSA_OVERRIDE_GFX_VERSION=11.0.0");
    CHECK(markdown_cell("_a_ b_") == "\\_a\\_ b\\_");
    CHECK(markdown_cell("https://example.org") == "https\\://example.org");
    CHECK(markdown_cell("# no heading") == "\\# no heading");
    CHECK(markdown_cell("torch>=2.8") == "torch>=2.8");
}

TEST_CASE("in Markdown an address stays between its brackets", "[report][table]") {
    const Table table{"T", {}, {"c"}, {}, {{"s", "S", "https://example.org/a> <b"}}};
    CHECK(render(table, TableFormat::markdown).ends_with("1. s: S <https://example.org/a%3E%20%3Cb>\n"));
}

TEST_CASE("CSV has the columns and the rows, as RFC 4180 has them", "[report][table]") {
    const Table table{"Cards", {"A note."}, {"card", "builds"}, {{{"A", "B"}, {}}, {{"C, D"}, {"say \"x\""}}}, {{"page", "A page", "https://example.org/a"}}};
    CHECK(render(table, TableFormat::csv) == "card,builds\r\n\"A; B\",\r\n\"C, D\",\"say \"\"x\"\"\"\r\n");
}

TEST_CASE("in CSV a text is neither a second row nor a formula", "[report][table]") {
    CHECK(csv_cell("a\r\nb") == "a  b\r\n");
    CHECK(csv_cell(" a") == "\" a\"\r\n");
    CHECK(csv_cell("=1+1") == "'=1+1\r\n");
    CHECK(csv_cell("@SUM(A1,A2)") == "\"'@SUM(A1,A2)\"\r\n");
    CHECK(csv_cell("+cu128") == "'+cu128\r\n");
    CHECK(csv_cell("-1") == "'-1\r\n");
    CHECK(csv_cell("\t=1") == "' =1\r\n");
    CHECK(csv_cell("2.9.1+cu128") == "2.9.1+cu128\r\n");
}

TEST_CASE("in HTML a text is text", "[report][table]") {
    CHECK(html_cell("<script>alert('x')</script>") == "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    CHECK(html_cell("a & \"b\"") == "a &amp; &quot;b&quot;");
    CHECK(html_cell("a\nb") == "a b");
}

TEST_CASE("HTML is one file that loads nothing and links only to https", "[report][table]") {
    const Table table{"A < B", {"A > note."}, {"c"}, {{{"x", "y"}}}, {{"a", "A", "https://example.org/?a&b=\"c"}, {"b", "B", "javascript:alert(1)"}, {"c", "C", ""}}};
    const std::string out = render(table, TableFormat::html);
    const auto has = [&](const char* text) { return out.find(text) != std::string::npos; };
    CHECK(out.starts_with("<!DOCTYPE html>\n"));
    CHECK(has("<title>A &lt; B</title>"));
    CHECK(has("<p>A &gt; note.</p>"));
    CHECK(has("<td>x<br>y</td>"));
    CHECK(has("<li><a href=\"https://example.org/?a&amp;b=&quot;c\">a: A</a></li>"));
    CHECK(has("<li>b: B</li>"));
    CHECK(!has("javascript"));
    CHECK(!has("<script"));
    CHECK(!has("src="));
    CHECK(!has("url("));
}

TEST_CASE("a table without rows is a table", "[report][table]") {
    const Table table{"T", {}, {"c"}, {}, {}};
    CHECK(render(table, TableFormat::csv) == "c\r\n");
    CHECK(render(table, TableFormat::markdown) == "# T\n\n| c |\n| --- |\n");
    CHECK(render(table, TableFormat::html).find("<tbody>\n</tbody>") != std::string::npos);
}

}  // namespace
