#include "app/lines.hpp"

namespace vmatrix::app {

std::string sources_of(const compat::Reason& reason) {
    if (reason.sources.empty()) return {};
    constexpr std::size_t most = 2;
    std::string text = " [" + reason.sources.front();
    if (reason.sources.size() > 1) text += ", " + reason.sources[1];
    if (reason.sources.size() > most) text += ", +" + std::to_string(reason.sources.size() - most);
    return text + "]";
}

}  // namespace vmatrix::app
