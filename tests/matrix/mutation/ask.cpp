#include "ask.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "cli/request_options.hpp"
#include "compat/evaluate.hpp"
#include "compat/resolve.hpp"

namespace mutation {
namespace {

namespace cli = vmatrix::cli;
namespace compat = vmatrix::compat;
namespace model = vmatrix::model;
using compat::Level;

std::string settings(const std::map<std::string, std::string>& environment) {
    std::string text;
    for (const auto& [name, value] : environment) text += " set " + name + "=" + value;
    return text;
}

std::string told(const std::vector<const model::Fact*>& issues, const std::string& about) {
    const auto found = std::ranges::find(issues, about, &model::Fact::id);
    return found == issues.end() ? "" : " with the issue (" + std::string((*found)->text("severity")) + ")";
}

/// The facts that a reason cites; the image that the request names goes without its id.
std::string by(const compat::Reason& reason, const compat::Host& host) {
    std::string text = reason.facts.empty() ? "" : " by";
    for (const std::string& fact : reason.facts) text += host.image && host.image->id == fact ? " the image" : " " + fact;
    return text;
}

/// The judgements from which `check` makes its verdict. Repairs are left out: they are many more requests.
Answer check(const model::Matrix& matrix, const compat::Host& host, const compat::Request& request, const std::string& about) {
    const auto evaluation = compat::evaluate(matrix, host, request);
    if (!evaluation) return {"refused", {}};
    Answer answer;
    const compat::Judgement* decides = nullptr;
    std::vector<const model::Fact*> issues;
    std::map<std::string, std::string> environment;
    for (const compat::Judgement& judgement : evaluation->judgements) {
        if (!judgement.reason.text.empty() && (!decides || judgement.level < decides->level)) decides = &judgement;
        if (judgement.issue) issues.push_back(judgement.issue), answer.facts.insert(judgement.issue->id);
        environment.insert(judgement.environment.begin(), judgement.environment.end());
        answer.facts.insert(judgement.reason.facts.begin(), judgement.reason.facts.end());
    }
    const Level level = decides ? evaluation->level() : Level::unknown;
    answer.text = to_string(level);
    if (decides && level != Level::supported) answer.text += by(decides->reason, host);
    if (level != Level::broken) answer.text += settings(environment);
    answer.text += told(issues, about);
    return answer;
}

Answer resolve(const model::Matrix& matrix, const compat::Host& host, const compat::Request& request, const std::string& about) {
    const auto found = compat::resolve(matrix, host, request, 0);
    if (!found) return {"refused", {}};
    Answer answer;
    const auto take = [&](const std::vector<compat::Reason>& reasons) {
        for (const compat::Reason& reason : reasons) answer.facts.insert(reason.facts.begin(), reason.facts.end());
    };
    take(found->limits);
    take(found->conflict);
    answer.text = "none";
    for (const compat::Reason& reason : found->conflict) answer.text += by(reason, host);
    const bool about_driver = std::ranges::find(request.prefer, "driver", &compat::Spec::name) != request.prefer.end();
    for (const compat::Stack& stack : found->stacks) {
        answer.text = to_string(stack.level);
        for (const auto& [component, version] : stack.components)
            if (component != "driver" || about_driver) answer.text += " " + component + "=" + version;
        answer.text += settings(stack.environment) + told(stack.issues, about);
        take(stack.reasons);
        for (const model::Fact* issue : stack.issues) answer.facts.insert(issue->id);
        if (stack.image && request.image) answer.text += " in " + stack.image->id;
        if (stack.image) answer.facts.insert(stack.image->id);
    }
    for (const compat::Reason& limit : found->limits) answer.text += " ends" + by(limit, host);
    return answer;
}

/// "vllm==0.11.0+cu128" is the build vllm-0.11.0+cu128: among several builds its answer says "it", so that like answers are alike.
std::string with_it(const std::string& answer, const std::string& value) {
    const auto equals = value.find("==");
    if (equals == std::string::npos) return answer;
    const std::string id = value.substr(0, equals) + "-" + value.substr(equals + 2);
    std::istringstream words(answer);
    std::string text;
    for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + (word == id || word == id + "+any" ? "it" : word);
    return text;
}

}  // namespace

Ask read_ask(const std::string& text) {
    CLI::App app;
    cli::RequestOptions options;
    Ask ask;
    app.add_option("COMMAND", ask.command)->required();
    app.add_option("SPEC,--with", options.with);
    cli::add_request_options(app, options);
    cli::add_choice_options(app, options);
    try {
        app.parse(text);
    } catch (const CLI::ParseError& error) {
        throw std::runtime_error(text + ": " + error.what());
    }
    auto request = options.request();
    if (!request) throw std::runtime_error(text + ": " + request.error().message);
    ask.request = std::move(*request);
    return ask;
}

std::vector<Variant> variants(const std::string& text) {
    const auto open = text.find('{'), close = text.find('}');
    if (open == std::string::npos || close == std::string::npos) return {{"", text}};
    std::vector<Variant> all;
    for (std::size_t at = open + 1; at <= close;) {
        const auto end = std::min(text.find(',', at), close);
        const std::string value = text.substr(at, end - at);
        all.push_back({value, text.substr(0, open) + value + text.substr(close + 1)});
        at = end + 1;
    }
    return all;
}

Answer answer(const model::Matrix& matrix, const Ask& ask, const std::string& about) {
    const auto hosts = compat::read_hosts(matrix, ask.request);
    if (!hosts) return {"refused", {}};
    Answer all;
    for (const compat::Host& host : *hosts) {
        Answer one = ask.command == "check" ? check(matrix, host, ask.request, about) : resolve(matrix, host, ask.request, about);
        all.text += (all.text.empty() ? "" : " / ") + one.text;
        all.facts.merge(one.facts);
    }
    return all;
}

std::string merged(const std::vector<Variant>& asked, const std::vector<Answer>& answers) {
    if (asked.size() == 1) return answers.front().text;
    std::vector<std::pair<std::string, std::string>> groups;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        std::string answer = with_it(answers[i].text, asked[i].value);
        auto group = std::ranges::find(groups, answer, &std::pair<std::string, std::string>::first);
        if (group == groups.end()) group = groups.insert(groups.end(), {std::move(answer), ""});
        group->second += (group->second.empty() ? "" : ", ") + asked[i].value;
    }
    std::string text;
    for (const auto& [what, values] : groups) text += (text.empty() ? "" : "; ") + what + ": " + values;
    return text;
}

}  // namespace mutation
