/// How good an answer is, and why.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/fact.hpp"

namespace vmatrix::compat {

/// From worst to best; the level of a stack is that of its worst relation. Words: docs/resolver.md.
enum class Level { broken, unknown, workaround, expected, supported, verified };
[[nodiscard]] std::string_view to_string(Level level);

/// One sourced statement of an answer.
struct Reason {
    std::string layer;                     ///< hardware firmware kernel driver container runtime framework application packaging host-config
    std::vector<std::string> components;   ///< "torch", "gpu"
    std::string text;                      ///< a sentence without a full stop
    std::vector<std::string> facts;        ///< ids
    std::vector<std::string> sources;      ///< citations of those facts

    [[nodiscard]] bool is_about(std::string_view component) const;
};

/// Something that helps, as a rule knows it; nobody has tried it on the request.
struct Advice {
    std::string text;
    std::string about;   ///< the component or variable that it changes; may be empty
};

/// What one relation says about one combination.
struct Judgement {
    Level level = Level::supported;
    Reason reason;
    std::string relation = {};                        ///< which rule about what, "architecture of card 0"; the same for all candidates
    std::map<std::string, std::string> environment;   ///< what has to be set for it
    std::vector<Advice> advice;                       ///< what else helps
    bool by_ptx = false;                              ///< it runs only because the driver compiles it
    const model::Fact* issue = nullptr;               ///< the known issue that it tells of
    bool decides = false;                             ///< a record: whatever the others say, this is the level
};

}  // namespace vmatrix::compat
