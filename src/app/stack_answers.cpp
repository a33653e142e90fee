#include "app/stack_answers.hpp"

#include <algorithm>

#include "app/explanation.hpp"
#include "app/install_commands.hpp"
#include "app/repair_commands.hpp"
#include "compat/check.hpp"
#include "compat/resolve.hpp"

namespace vmatrix::app {
namespace {

using compat::Level;
using compat::Reason;
using compat::Repair;
using compat::Stack;
using report::Tree;

Tree texts(const std::vector<std::string>& values) {
    Tree list = Tree::list();
    for (const std::string& value : values) list.items.push_back(Tree::of(value));
    return list;
}

Tree map(const std::map<std::string, std::string>& values) {
    Tree record = Tree::record();
    for (const auto& [name, value] : values) record.set(name, value);
    return record;
}

Tree reasons(const model::Matrix& matrix, const std::vector<Reason>& all) {
    Tree list = Tree::list();
    for (const Reason& reason : all) list.items.push_back(reason_record(matrix, reason));
    return list;
}

Tree repairs(const model::Matrix& matrix, const compat::Host& host, const std::vector<Repair>& all) {
    Tree list = Tree::list();
    for (const Repair& repair : all) {
        Tree record = Tree::record();
        record.set("text", repair.text).set("changes", map(repair.changes));
        record.set("commands", texts(repair_commands(matrix, host, repair)));
        list.items.push_back(std::move(record));
    }
    return list;
}

/// Known issues that are decided, or those that turn on something that no request says.
Tree issues(const std::vector<const model::Fact*>& all, bool decided) {
    Tree list = Tree::list();
    for (const model::Fact* issue : all) {
        if (issue->texts("state").empty() != decided) continue;
        Tree record = Tree::record();
        for (const char* const field : {"severity", "layer", "text", "advice"}) record.set(field, std::string(issue->text(field)));
        Tree sources = Tree::list(), states = Tree::list();
        for (const auto source : issue->texts("source")) sources.items.push_back(Tree::of(std::string(source)));
        for (const auto state : issue->texts("state")) states.items.push_back(Tree::of(std::string(state)));
        if (!decided) record.set("if", std::move(states));
        record.set("sources", std::move(sources));
        record.members.insert(record.members.begin(), {"id", Tree::of(issue->id)});
        list.items.push_back(std::move(record));
    }
    return list;
}

Tree image_record(const Stack& stack) {
    if (stack.image_name.empty()) return {};
    Tree record = Tree::record(), inside = Tree::record();
    if (const model::Value* bundles = stack.image ? stack.image->find("bundles") : nullptr)
        for (const auto& [name, version] : bundles->members) inside.set(name, version.text);
    record.set("name", stack.image_name).set("components", std::move(inside)).set("fact", stack.image ? stack.image->id : "");
    return record;
}

/// What was chosen comes first, as it was asked for: given to `check` again, the answer is about the same package.
Tree components(const Stack& stack) {
    Tree record = Tree::record();
    std::map<std::string, std::string> rest = stack.components;
    for (const compat::Build& build : stack.builds)
        if (const auto own = rest.extract(build.package)) record.set(own.key(), own.mapped());
    for (const auto& [name, version] : rest) record.set(name, version);
    return record;
}

Tree stack_record(const model::Matrix& matrix, const compat::Host& host, const Stack& stack) {
    Tree record = Tree::record();
    record.set("evidence", std::string(to_string(stack.level))).set("components", components(stack)).set("environment", map(stack.environment));
    if (!stack.runtimes.empty()) record.set("runtimes", map(stack.runtimes));
    record.set("issues", issues(stack.issues, true)).set("possible_issues", issues(stack.issues, false)).set("reasons", reasons(matrix, stack.reasons)).set("assumptions", texts(stack.assumptions));
    record.set("image", image_record(stack));
    record.set("commands", texts(install_commands(matrix, stack.builds, host)));
    return record;
}

Tree check_record(const model::Matrix& matrix, const compat::Host& host, const compat::CheckAnswer& answer) {
    Tree record = Tree::record();
    record.set("verdict", std::string(compat::verdict(answer.level))).set("evidence", std::string(to_string(answer.level)));
    record.set("reasons", reasons(matrix, answer.reasons)).set("issues", issues(answer.issues, true)).set("possible_issues", issues(answer.issues, false)).set("environment", map(answer.environment));
    record.set("repairs", repairs(matrix, host, answer.repairs)).set("assumptions", texts(answer.assumptions));
    return record;
}

Tree resolve_record(const model::Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer) {
    Tree record = Tree::record(), stacks = Tree::list(), conflict = Tree::record();
    for (const Stack& stack : answer.stacks) stacks.items.push_back(stack_record(matrix, host, stack));
    conflict.set("reasons", reasons(matrix, answer.conflict)).set("wishes", texts(answer.wishes)).set("story", story_records(matrix, answer.story));
    record.set("status", answer.stacks.empty() ? "none" : "found").set("for", texts(answer.meaning)).set("limits", reasons(matrix, answer.limits)).set("stacks", std::move(stacks));
    record.set("workaround", answer.workaround ? stack_record(matrix, host, *answer.workaround) : Tree());
    record.set("conflict", std::move(conflict)).set("repairs", repairs(matrix, host, answer.repairs));
    return record;
}

/// One answer, or one for each architecture that a name may mean; the worst decides.
template <class Answer>
base::Result<StackAnswer> combine(const model::Matrix& matrix, const compat::Request& request, Answer answer_for) {
    const auto hosts = compat::read_hosts(matrix, request);
    if (!hosts) return tl::make_unexpected(hosts.error());
    std::vector<StackAnswer> answers;
    for (const compat::Host& host : *hosts) {
        auto answer = answer_for(host);
        if (!answer) return tl::make_unexpected(answer.error());
        answers.push_back(std::move(*answer));
    }
    const auto worst = std::ranges::find(answers, false, &StackAnswer::positive);
    StackAnswer result = worst == answers.end() ? answers.front() : *worst;
    if (answers.size() > 1) {
        Tree all = Tree::list();
        for (std::size_t i = 0; i < answers.size(); ++i) {
            Tree one = Tree::record();
            const std::string card = (*hosts)[i].cards.front().title();
            one.set("for", card);
            result.text = (i == 0 ? request.gpus.front() + " may be of several architectures.\n\n" : result.text + "\n") + "== " + card + "\n" + answers[i].text;
            for (auto& [name, value] : answers[i].tree.members)
                if (name != "for") one.set(name, std::move(value));
            all.items.push_back(std::move(one));
        }
        result.tree.set("each", std::move(all));
    }
    return result;
}

}  // namespace

base::Result<StackAnswer> check(const model::Matrix& matrix, const compat::Request& request, Detail detail) {
    return combine(matrix, request, [&](const compat::Host& host) -> base::Result<StackAnswer> {
        const auto answer = compat::check(matrix, host, request);
        if (!answer) return tl::make_unexpected(answer.error());
        return StackAnswer{check_record(matrix, host, *answer), to_text(matrix, host, *answer, detail), answer->level != Level::broken};
    });
}

base::Result<StackAnswer> explain(const model::Matrix& matrix, const compat::Request& request) {
    return combine(matrix, request, [&](const compat::Host& host) -> base::Result<StackAnswer> {
        const auto answer = compat::explain(matrix, host, request);
        if (!answer) return tl::make_unexpected(answer.error());
        StackAnswer result{resolve_record(matrix, host, *answer), explanation_text(matrix, host, *answer), !answer->stacks.empty()};
        result.tree.set("why_nothing_better", story_records(matrix, answer->why_nothing_better));
        return result;
    });
}

base::Result<StackAnswer> resolve(const model::Matrix& matrix, const compat::Request& request, std::size_t alternatives, Detail detail) {
    return combine(matrix, request, [&](const compat::Host& host) -> base::Result<StackAnswer> {
        const auto answer = compat::resolve(matrix, host, request, alternatives);
        if (!answer) return tl::make_unexpected(answer.error());
        return StackAnswer{resolve_record(matrix, host, *answer), to_text(matrix, host, *answer, detail), !answer->stacks.empty()};
    });
}

}  // namespace vmatrix::app
