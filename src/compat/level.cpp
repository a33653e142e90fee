#include "compat/level.hpp"

#include <algorithm>

namespace vmatrix::compat {

std::string_view to_string(Level level) {
    switch (level) {
        case Level::broken: return "broken";
        case Level::unknown: return "unknown";
        case Level::workaround: return "workaround";
        case Level::expected: return "expected";
        case Level::supported: return "supported";
        case Level::verified: return "verified";
    }
    return {};
}

bool Reason::is_about(std::string_view component) const { return std::ranges::find(components, component) != components.end(); }

}  // namespace vmatrix::compat
