/// What `check` and `resolve` find out, before anybody chose a format for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compat/builds.hpp"
#include "compat/level.hpp"

namespace vmatrix::compat {

/// A change that was evaluated again and made things better, or a rule's advice that nobody could evaluate.
struct Repair {
    std::string text;
    std::map<std::string, std::string> changes;   ///< component -> new value
    std::vector<Build> builds;                    ///< what has to be installed for it: the caller knows how

    /// Adds variables of the environment that the change needs.
    void set(const std::map<std::string, std::string>& environment) {
        for (const auto& [name, value] : environment) {
            text += ", with " + name + "=" + value;
            changes[name] = value;
        }
    }
};

/// Verdict on a given stack. The first reason is the one that decides.
struct CheckAnswer {
    Level level = Level::unknown;
    std::vector<Reason> reasons;
    std::map<std::string, std::string> environment;
    std::vector<Repair> repairs;
    std::vector<std::string> assumptions;
    std::vector<const Fact*> issues;                  ///< known issues that apply
};

struct Stack {
    Level level = Level::unknown;
    std::vector<Build> builds;                        ///< of the packages, the one that the answer is about first; empty for a runtime by itself
    std::map<std::string, std::string> components;    ///< component -> version
    std::map<std::string, std::string> runtimes;      ///< package -> "cuda 12.8.1", where several bring one of their own; that of `components` is the subject's
    std::map<std::string, std::string> environment;
    std::vector<Reason> reasons;                      ///< worst first
    std::vector<const Fact*> issues;                  ///< known issues that apply
    std::vector<std::string> assumptions;
    std::string image_name;                           ///< as it was asked for, or of `image`; may be empty
    const Fact* image = nullptr;                      ///< the one asked for, or one that holds this or something older for these cards; may be null
};

/// One line of the story of a conflict: a wish or a sourced statement, and what it leaves.
struct StoryLine {
    std::string wish;        ///< "torch==2.6.0"; empty for a statement
    Reason reason;           ///< of a statement
    std::string leaves;      ///< "torch 2.7.0 to 2.9.1"; empty: nothing is left
    bool last = true;        ///< of the lines that tell the same step
    std::size_t depth = 0;   ///< above 0: inside a case, whose line stands before
};

struct ResolveAnswer {
    std::vector<std::string> meaning;        ///< for each card: what its name was taken for
    std::vector<Reason> limits;              ///< what came to an end for these cards: the last driver branch, the last release
    std::vector<Stack> stacks;               ///< best first; empty: none
    std::optional<Stack> workaround;         ///< the best that needs an override, where something better exists
    std::vector<StoryLine> story;            ///< why there is none, each line a consequence of those before
    std::vector<Reason> conflict;            ///< the statements of the story
    std::vector<StoryLine> why_nothing_better;   ///< why not what stands before the best stack in the order of preference; only by explain()
    std::vector<std::string> wishes;         ///< the parts of the request that take part in the conflict
    std::vector<Repair> repairs;
    std::vector<Advice> advice;              ///< what else the rules of the conflict say that helps
};

}  // namespace vmatrix::compat
