#include <array>
#include <string>
#include <utility>
#include <vector>

#include "version/set_text.hpp"

namespace vmatrix::version {
namespace {

struct OperatorText {
    std::string_view text;
    Operator op;
    bool negated = false;
};

// A longer one comes before its own beginning.
constexpr std::array operators{
    OperatorText{"===", Operator::identical},    OperatorText{"==", Operator::equal},
    OperatorText{"~=", Operator::compatible},    OperatorText{"!=", Operator::equal, true},
    OperatorText{"!>", Operator::greater, true}, OperatorText{">>=", Operator::from},
    OperatorText{">>", Operator::after},         OperatorText{">=", Operator::greater_equal},
    OperatorText{">", Operator::greater},        OperatorText{"<<=", Operator::up_to},
    OperatorText{"<<", Operator::before},        OperatorText{"<=", Operator::less_equal},
    OperatorText{"<", Operator::less},
};

/// The text up to the next `,` or `|`, or the end, without blanks behind it.
std::string_view take_operand(Cursor& in, std::string_view text, Scheme scheme) {
    const std::size_t start = in.at();
    std::size_t end = start;
    while (!in.done() && in.peek() != ',' && in.peek() != '|') {
        if (scheme == Scheme::opaque && in.peek() == '\\' && in.at() + 1 < text.size()) in.skip();
        in.skip();
        if (!is_blank(text[in.at() - 1])) end = in.at();
    }
    return text.substr(start, end - start);
}

const OperatorText* take_operator(Cursor& in) {
    for (const OperatorText& known : operators)
        if (in.eat(known.text)) return &known;
    return nullptr;
}

std::string hint_without_operator(const Cursor& in) {
    const char next = in.peek(1);
    if (in.peek() == '=' && (next == '<' || next == '>')) return "write `" + std::string{next} + "=`";
    if (in.peek() == '=') return "this version only is `==V`";
    return is_digit(in.peek()) ? "this version only is `==V`, this and later ones are `>=V`" : "";
}

/// For a second clause right behind a version, or behind a blank.
std::string hint_for_operand(std::string_view operand, std::size_t wrong) {
    constexpr std::string_view signs = "<>=!~";
    const bool ends = wrong < operand.size() && (is_blank(operand[wrong]) || signs.find(operand[wrong]) != std::string_view::npos);
    return ends && operand.find_first_of(signs, wrong) != std::string_view::npos ? "a comma is missing: `>=12,<13`" : "";
}

Parsed<Cuts> read_clause(Cursor& in, std::string_view text, Scheme scheme) {
    if (in.eat("*")) return Cuts{Cut{}};
    if (in.eat("!*")) return Cuts{};
    const Cursor before = in;
    const OperatorText* op = take_operator(in);
    if (op != nullptr && scheme == Scheme::opaque && op->op != Operator::equal && op->op != Operator::identical)
        return before.expected("==, !=, === or *", "opaque versions have no order");
    if (op == nullptr) return in.expected("one of ==, !=, >=, <=, >, <, ~=, === or *", hint_without_operator(in));
    in.skip_blanks();
    const std::size_t start = in.at();
    const std::string_view operand = take_operand(in, text, scheme);
    auto cuts = notation(scheme).clause(op->op, operand);
    if (!cuts && cuts.error().hint.empty()) cuts.error().hint = hint_for_operand(operand, cuts.error().at);
    if (!cuts) cuts.error().at += start;
    if (cuts && op->negated) return complement(std::move(*cuts));
    return cuts;
}

/// In pairs, so that many clauses do not copy each cut as often as there are clauses. `sets` is not empty.
Cuts reduce(std::vector<Cuts> sets, Cuts (*merge)(const Cuts&, const Cuts&)) {
    for (std::size_t step = 1; step < sets.size(); step *= 2)
        for (std::size_t i = 0; i + step < sets.size(); i += 2 * step) sets[i] = merge(sets[i], sets[i + step]);
    return std::move(sets.front());
}

}  // namespace

Parsed<Cuts> read_set(Scheme scheme, std::string_view text) {
    Cursor in(text);
    std::vector<Cuts> alternatives;
    std::vector<Cuts> conditions;   // of the alternative that is being read
    for (int clauses = 0; clauses < max_clauses; ++clauses) {
        in.skip_blanks();
        auto clause = read_clause(in, text, scheme);
        if (!clause) return clause;
        conditions.push_back(std::move(*clause));
        in.skip_blanks();
        if (in.eat(",")) continue;
        alternatives.push_back(reduce(std::exchange(conditions, {}), intersection));
        if (in.done()) return reduce(std::move(alternatives), union_of);
        if (!in.eat("||")) return in.expected("`,`, `||` or the end");
    }
    return in.expected("at most " + std::to_string(max_clauses) + " clauses");
}

}  // namespace vmatrix::version
