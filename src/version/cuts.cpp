#include "version/cuts.hpp"

#include <algorithm>
#include <utility>

namespace vmatrix::version {
namespace {

/// Walks upwards over the cuts of two sets, calling visit(cut, in_a, in_b) for what lies above each until it says false.
template <class Visit>
void sweep(const Cuts& a, const Cuts& b, Visit visit) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const int order = i == a.size() ? 1 : j == b.size() ? -1 : a[i].at.compare(b[j].at);
        const Cut& cut = order <= 0 ? a[i] : b[j];
        if (order <= 0) ++i;
        if (order >= 0) ++j;
        if (!visit(cut, i % 2 == 1, j % 2 == 1)) return;
    }
}

/// `keep(false, false)` must be false.
template <class Keep>
Cuts combine(const Cuts& a, const Cuts& b, Keep keep) {
    Cuts result;
    sweep(a, b, [&](const Cut& cut, bool in_a, bool in_b) {
        const bool inside = result.size() % 2 == 1;
        if (keep(in_a, in_b) != inside) result.push_back(cut);
        return true;
    });
    return result;
}

template <class Test>
bool any(const Cuts& a, const Cuts& b, Test test) {
    bool found = false;
    sweep(a, b, [&](const Cut&, bool in_a, bool in_b) { return !(found = test(in_a, in_b)); });
    return found;
}

}  // namespace

Cuts range(Cut from, Cut to) {
    if (from == to) return {};
    return {std::move(from), std::move(to)};
}

Cuts complement(Cuts set) {
    if (!set.empty() && set.front().at == before_all_versions) {
        set.erase(set.begin());
    } else {
        set.insert(set.begin(), Cut{});
    }
    return set;
}

Cuts intersection(const Cuts& a, const Cuts& b) {
    return combine(a, b, [](bool in_a, bool in_b) { return in_a && in_b; });
}

Cuts union_of(const Cuts& a, const Cuts& b) {
    return combine(a, b, [](bool in_a, bool in_b) { return in_a || in_b; });
}

bool any_inside(const Cuts& a, const Cuts& b) {
    return any(a, b, [](bool in_a, bool in_b) { return in_a && in_b; });
}

bool any_outside(const Cuts& a, const Cuts& b) {
    return any(a, b, [](bool in_a, bool in_b) { return in_a && !in_b; });
}

bool contains(const Cuts& set, std::string_view key) {
    const auto above = std::ranges::upper_bound(set, key, {}, &Cut::at);
    return (above - set.begin()) % 2 == 1;
}

}  // namespace vmatrix::version
