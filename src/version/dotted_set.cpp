// The clauses of dotted versions. The order is plain and there are no pre-releases, so a place has two names only where
// a series ends: "before 1.8" is "after the series 1.7", as no version lies between. The second name is the cut, since
// it needs no number to be raised. "After 1.7" is a limit: 1.7.0.1 is above it, and 1.7.0.0.1 between them.

#include <utility>

#include "version/dotted.hpp"
#include "version/notation.hpp"

namespace vmatrix::version::dotted {
namespace {

using Numbers = std::vector<key::Number>;

std::string canonical(const Numbers& numbers) {
    const auto kept = key::without_trailing_zeros(numbers);
    return kept.empty() ? "0" : key::join(kept);
}

std::string spelling(const Parts& version) {
    return version.written == canonical(version.numbers) ? std::string() : std::string(version.written);
}

Cut after_series(const Numbers& numbers) {
    std::string at;
    key::append_prefix(at, numbers);
    return {at + key::after_all};
}

Cut before(const Numbers& numbers) {
    const auto kept = key::without_trailing_zeros(numbers);
    if (kept.empty()) return {};
    Numbers lower(kept.begin(), kept.end());
    lower.back() = key::decrement(lower.back());
    return after_series(lower);
}

Cut after(const Numbers& numbers) { return {to_key(numbers) + key::after_all}; }

Cut before(const Parts& version) { return {before(version.numbers).at, spelling(version)}; }
Cut after(const Parts& version) { return {after(version.numbers).at, spelling(version)}; }

Cuts equal(const Parts& version) { return range(before(version), after(version)); }

Parsed<Cuts> series_clause(Operator op, std::string_view operand) {
    const std::size_t wildcard = operand.size() - 2;
    const auto no_wildcard = [&](std::string hint) { return tl::make_unexpected(Unexpected{wildcard, "the end", std::move(hint)}); };
    if (op != Operator::equal) return no_wildcard("only == and != take `.*`");
    auto version = parse(operand.substr(0, wildcard));
    if (!version) return tl::make_unexpected(std::move(version.error()));
    if (version->written.size() != wildcard) return no_wildcard("`.*` follows numbers only");
    return range(before(*version), after_series(version->numbers));
}

Parsed<Cuts> compatible(const Parts& version) {
    if (version.numbers.size() < 2)
        return tl::make_unexpected(Unexpected{0, "two numbers or more", "~=12.4 means >=12.4,==12.*"});
    Numbers prefix = version.numbers;
    prefix.pop_back();
    return range(before(version), after_series(prefix));
}

Parsed<Cuts> clause(Operator op, std::string_view operand) {
    if (operand.ends_with(".*")) return series_clause(op, operand);
    auto version = parse(operand);
    if (!version) return tl::make_unexpected(std::move(version.error()));
    switch (op) {
        case Operator::equal:
        case Operator::identical: return equal(*version);
        case Operator::compatible: return compatible(*version);
        case Operator::less:
        case Operator::before: return range({}, before(*version));
        case Operator::less_equal:
        case Operator::up_to: return range({}, after(*version));
        case Operator::greater:
        case Operator::after: return Cuts{after(*version)};
        case Operator::greater_equal:
        case Operator::from: return Cuts{before(*version)};
    }
    return Cuts{};
}

Cuts exactly(std::string_view version) { return equal(*parse(version)); }

enum class Kind { before, after };

struct Place {
    Kind kind = Kind::before;
    Numbers numbers;   ///< the version that the cut is before or after
    Numbers series;    ///< the series that it is after
};

Place read(std::string_view at) {
    Numbers numbers = key::take_numbers(at);
    if (at.front() == key::end_of_release) return {Kind::after, std::move(numbers), {}};
    Numbers series = numbers;
    numbers.back() = key::increment(numbers.back());
    return {Kind::before, std::move(numbers), std::move(series)};
}

std::string format(const Place& place, const Cut& cut, Spelling spelling) {
    return spelling == Spelling::as_written && !cut.spelling.empty() ? cut.spelling : canonical(place.numbers);
}

std::string lower(const Cut& from, Spelling spelling) {
    const Place place = read(from.at);
    return (place.kind == Kind::before ? ">=" : ">") + format(place, from, spelling);
}

std::string upper(const Cut& to, Spelling spelling) {
    const Place place = read(to.at);
    return (place.kind == Kind::before ? "<" : "<=") + format(place, to, spelling);
}

std::string equal_operand(const Cut& from, const Cut& to, Spelling spelling) {
    const Place place = read(to.at);
    if (place.kind == Kind::after) return from == before(place.numbers) ? format(place, to, spelling) : std::string();
    return from == before(place.series) ? key::join(place.series) + ".*" : std::string();
}

std::string identical_operand(const Cut&, const Cut&) { return {}; }

}  // namespace

const Notation notation{clause, exactly, lower, upper, equal_operand, identical_operand};

}  // namespace vmatrix::version::dotted
