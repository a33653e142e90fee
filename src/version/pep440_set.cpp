// The clauses of PEP 440, "Version specifiers", as ranges between cuts.
//
// A place just before a dev release often has a second name: "before 1.7.dev4" is "after the locals of 1.7.dev3", as no
// version lies between. A cut always has the name that needs no number to be raised:
//   before X.dev4         ->  after the locals of X.dev3
//   before X.post2.dev0   ->  after the locals of X.post1
//   before X.post0.dev0   ->  after the locals of X
//   before 1.7rc2.dev0    ->  after the post-releases of 1.7rc1
//   before 1.8.dev0       ->  after the series 1.7
//   before 2!0.dev0       ->  after the epoch 1
//   before 0.dev0         ->  before all versions
// All other places have one name: versions come ever closer to them, from below or from above, and none is the nearest.

#include <utility>

#include "version/notation.hpp"
#include "version/pep440.hpp"

namespace vmatrix::version::pep440 {
namespace {

Cut after_epoch(const Parts& version) { return {key_up_to_release(version) + key::after_all}; }
Cut after_posts(const Parts& version) { return {key_up_to_post(version) + key::after_all}; }
Cut after_locals(const Parts& version) { return {key_up_to_local(version) + key::after_all}; }
/// After this version and no other, its locals neither.
Cut after(const Parts& version) { return {to_key(version) + key::after_all}; }

/// After all releases that begin with the release of `version`, their suffixes and zeros included.
Cut after_series(const Parts& version) {
    std::string at = key_up_to_release(version);
    key::append_prefix(at, version.release);
    return {at + key::after_all};
}

/// Before X.dev0 of a final release X.
Cut before_release(Parts version) {
    const auto release = key::without_trailing_zeros(version.release);
    version.release.assign(release.begin(), release.end());
    if (!version.release.empty()) {
        version.release.back() = key::decrement(version.release.back());
        return after_series(version);
    }
    if (version.epoch == "0") return {};
    version.epoch = key::decrement(version.epoch);
    return after_epoch(version);
}

Cut before(Parts version) {
    if (!version.dev || !version.local.empty()) return {to_key(version)};
    if (*version.dev != "0") {
        version.dev = key::decrement(*version.dev);
        return after_locals(version);
    }
    if (version.post) {
        version.dev.reset();
        version.post = *version.post == "0" ? std::nullopt : std::optional(key::decrement(*version.post));
        return after_locals(version);
    }
    if (!version.pre) return before_release(std::move(version));
    if (version.pre->number == "0") return {to_key(version)};
    version.dev.reset();
    version.pre->number = key::decrement(version.pre->number);
    return after_posts(version);
}

/// Before the dev releases of `version`, which is none itself.
Cut before_dev_releases(Parts version) {
    version.dev = "0";
    return before(std::move(version));
}

/// `==V.*`, for a release, a pre-release or a post-release V.
Cuts series(const Parts& version) {
    Cut to = version.post ? after_locals(version) : version.pre ? after_posts(version) : after_series(version);
    return range(before_dev_releases(version), std::move(to));
}

/// `==V`: without a local label in V, those of candidates are ignored.
Cuts equal(const Parts& version) {
    return range(before(version), version.local.empty() ? after_locals(version) : after(version));
}

/// `===V`
Cuts identical(const Parts& version) { return range(before(version), after(version)); }

/// `~=V.N`: at least V.N, and in the series V.
Cuts compatible(const Parts& version) {
    Parts prefix{version.epoch, version.release};
    prefix.release.pop_back();
    return range(before(version), after_series(prefix));
}

/// `<V` leaves out the pre-releases of V unless V is one.
Cuts less(const Parts& version) {
    return range({}, version.is_prerelease() ? before(version) : before_dev_releases(version));
}

/// `>V` leaves out the locals of V, and its post-releases unless V is one. A dev release has none.
Cuts greater(const Parts& version) {
    return {version.post || version.dev ? after_locals(version) : after_posts(version)};
}

bool takes_local(Operator op) {
    switch (op) {
        case Operator::compatible:
        case Operator::less:
        case Operator::less_equal:
        case Operator::greater:
        case Operator::greater_equal: return false;
        default: return true;
    }
}

Parsed<Cuts> series_clause(Operator op, std::string_view operand) {
    const std::size_t wildcard = operand.size() - 2;
    const auto no_wildcard = [&](std::string hint) { return tl::make_unexpected(Unexpected{wildcard, "the end", std::move(hint)}); };
    if (op != Operator::equal) return no_wildcard("only == and != take `.*`");
    auto version = parse(operand.substr(0, wildcard));
    if (!version) return tl::make_unexpected(std::move(version.error()));
    if (version->dev || !version->local.empty()) return no_wildcard("`.*` cannot follow a dev release or a local label");
    return series(*version);
}

Parsed<Cuts> clause(Operator op, std::string_view operand) {
    if (operand.ends_with(".*")) return series_clause(op, operand);
    auto version = parse(operand);
    if (!version) return tl::make_unexpected(std::move(version.error()));
    if (!version->local.empty() && !takes_local(op))
        return tl::make_unexpected(Unexpected{operand.find('+'), "the end", "only ==, !=, ===, <<, <<=, >> and >>= take a local label"});
    if (op == Operator::compatible && version->release.size() < 2)
        return tl::make_unexpected(Unexpected{0, "a release of two numbers or more", "~=2.7 means >=2.7,==2.*"});
    switch (op) {
        case Operator::equal: return equal(*version);
        case Operator::identical: return identical(*version);
        case Operator::compatible: return compatible(*version);
        case Operator::less: return less(*version);
        case Operator::less_equal: return range({}, after_locals(*version));
        case Operator::greater: return greater(*version);
        case Operator::greater_equal:
        case Operator::from: return Cuts{before(*version)};
        case Operator::before: return range({}, before(*version));
        case Operator::up_to: return range({}, after(*version));
        case Operator::after: return Cuts{after(*version)};
    }
    return Cuts{};
}

Cuts exactly(std::string_view version) { return identical(*parse(version)); }

enum class Kind { before, after, after_locals, after_posts, after_series, after_epoch };

struct Place {
    Kind kind = Kind::before;
    Parts version;
};

bool ends_here(std::string_view at) { return !at.empty() && at.front() == key::after_all; }

/// The maker of a cut and what it was made from.
Place read(std::string_view at) {
    Parts version;
    version.epoch = key::take_number(at);
    if (ends_here(at)) return {Kind::after_epoch, version};
    version.release = key::take_numbers(at);
    if (ends_here(at)) return {Kind::after_series, version};
    at.remove_prefix(1);   // end of release
    if (version.release.empty()) version.release.emplace_back("0");
    take_pre(at, version);
    if (ends_here(at)) return {Kind::after_posts, version};
    take_post(at, version);
    take_dev(at, version);
    if (ends_here(at)) return {Kind::after_locals, version};
    take_local(at, version);
    return {ends_here(at) ? Kind::after : Kind::before, version};
}

/// "1.8" for the place after the series 1.7.
std::string release_above(Parts version, Kind kind) {
    if (kind == Kind::after_epoch) {
        version.epoch = key::increment(version.epoch);
        version.release = {"0"};
    } else {
        version.release.back() = key::increment(version.release.back());
    }
    return format(version);
}

std::string pre_release_above(Parts version) {
    version.pre->number = key::increment(version.pre->number);   // NOLINT(bugprone-unchecked-optional-access): asked only of pre-releases
    return format(version);
}

std::string lower(const Cut& from, Spelling) {
    const auto [kind, version] = read(from.at);
    switch (kind) {
        case Kind::before: return (version.local.empty() ? ">=" : ">>=") + format(version);
        case Kind::after: return ">>" + format(version);
        case Kind::after_locals: return version.post || version.dev ? ">" + format(version) : ">=" + format(version) + ".post0.dev0";
        case Kind::after_posts: return ">" + format(version);
        case Kind::after_series:
        case Kind::after_epoch: return ">=" + release_above(version, kind) + ".dev0";
    }
    return {};
}

std::string upper(const Cut& to, Spelling) {
    const auto [kind, version] = read(to.at);
    switch (kind) {
        case Kind::before: return (version.is_prerelease() && version.local.empty() ? "<" : "<<") + format(version);
        case Kind::after: return "<<=" + format(version);
        case Kind::after_locals: return "<=" + format(version);
        case Kind::after_posts: return version.pre ? "<" + pre_release_above(version) + ".dev0" : "!>" + format(version);
        case Kind::after_series:
        case Kind::after_epoch: return "<" + release_above(version, kind);
    }
    return {};
}

std::string equal_operand(const Cut& from, const Cut& to, Spelling) {
    const auto [kind, version] = read(to.at);
    const bool whole = kind == Kind::after_locals || (kind == Kind::after && !version.local.empty());
    if (whole && from == before(version)) return format(version);
    if (kind == Kind::after_series && from == before_dev_releases(version)) return format(version) + ".*";
    return {};
}

std::string identical_operand(const Cut& from, const Cut& to) {
    const auto [kind, version] = read(to.at);
    return kind == Kind::after && from == before(version) ? format(version) : std::string();
}

}  // namespace

const Notation notation{clause, exactly, lower, upper, equal_operand, identical_operand};

}  // namespace vmatrix::version::pep440
