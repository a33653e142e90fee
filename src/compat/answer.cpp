#include "compat/answer.hpp"

#include <algorithm>

namespace vmatrix::compat {

void add_advice(std::vector<Repair>& repairs, const std::vector<Advice>& advice) {
    const std::size_t solved = repairs.size();
    for (const Advice& one : advice) {
        const auto says_it = [&](const Repair& repair) { return repair.text == one.text || repair.changes.contains(one.about); };
        const bool known = std::any_of(repairs.begin(), repairs.begin() + static_cast<std::ptrdiff_t>(solved), says_it);
        if (!known && std::ranges::find(repairs, one.text, &Repair::text) == repairs.end()) repairs.push_back({one.text, {}, std::nullopt});
    }
}

}  // namespace vmatrix::compat
