#include "compat/records.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace vmatrix::compat {
namespace {

bool passed(const Fact& record) { return record.text("result") == "passed"; }

/// Variables that were set as text, "NAME=VALUE".
bool sets(const Fact& record, const std::string& name, const std::string& value) { return lists(record.find("environment"), name + "=" + value); }

/// Parts in which a stack differs from a recorded one, as "driver 580.65.06 instead of 580.95.05".
std::vector<std::string> differences(const Question& question, const Fact& record, const Tried& tried) {
    std::vector<std::string> all;
    const auto compare = [&](const std::string& part, std::string_view recorded, const std::string& here) {
        if (recorded != here) all.push_back(part + " " + (recorded.empty() ? "unnamed" : std::string(recorded)) + " instead of " + (here.empty() ? "an unnamed one" : base::printable(here)));
    };
    const Value* driver = record.find("driver", question.host.driver_component);
    const auto number = driver_of(record, question.host);
    if (!number || !tried.driver || *number != *tried.driver) compare("driver", driver ? std::string_view(driver->text) : "of another kind", tried.driver ? tried.driver->str() : "");
    compare("system", record.text("os"), question.host.os_name);
    if (!record.text("python").empty()) compare("Python", record.text("python"), tried.python);
    compare("image", record.text("image"), question.request.image.value_or(""));
    for (const auto& [name, value] : question.request.environment)
        if (!sets(record, name, value)) compare(name, "", value);
    return all;
}

bool same_builds(const Fact& record, const Tried& tried) {
    return !tried.builds.empty() && std::ranges::all_of(tried.builds, [&](const Build* build) { return has_build(record, *build); });
}

Judgement tell(const Fact& record, std::string text) {
    Judgement judgement;
    judgement.relation = "record";
    judgement.reason = {"framework", {"gpu", "driver"}, std::move(text), {}, {}};
    cite(judgement.reason, record);
    judgement.reason.sources.push_back(to_string(record.at));   // it is its own source
    return judgement;
}

std::string on_host(const Fact& record) { return ", on the host " + std::string(record.text("host")); }

std::string what(const Fact& record) {
    const auto tests = texts(record.find("tests"));
    return (passed(record) ? "passed " : "failed ") + (tests.empty() ? std::string("smoke tests") : listed(tests)) + " on " + std::string(record.text("date"));
}

Judgement decide(const Fact& record, Level level) {
    const bool fails = level == Level::broken;   // a repair may do no more than dodge it
    Judgement judgement = tell(record, "this stack " + what(record) + on_host(record) + (fails ? "; the record speaks of exactly this combination and of no other" : ""));
    judgement.level = level;
    judgement.decides = true;
    for (const std::string& setting : texts(record.find("environment"))) {
        const auto equals = setting.find('=');
        if (passed(record) && equals != std::string::npos) judgement.environment[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    return judgement;
}

/// Whether the same host passed anything at all: then a failure is not the host's.
bool host_passes_another(const Question& question, const Fact& failed) {
    return std::ranges::any_of(question.host.records, [&](const Fact* other) { return passed(*other) && other->text("host") == failed.text("host"); });
}

bool is_of_the_stack(const Fact& failed) { return failed.text("failure") == "framework" || failed.text("failure") == "numerics"; }

}  // namespace

std::optional<Version> driver_of(const Fact& record, const Host& host) {
    const Value* driver = record.find("driver", host.driver_component);
    return driver ? dotted(driver->text) : std::nullopt;
}

bool has_build(const Fact& record, const Build& build) { return build.fact && lists(record.find("builds"), build.fact->id); }

Reason no_record(const Matrix& matrix, const std::string& package) {
    constexpr std::size_t most = 3;
    Reason reason{"framework", {package}, "the matrix has no record of smoke tests that such a stack passed on such a host", {}, {}};
    std::vector<std::string> others;
    for (const Fact* record : matrix.of("record")) {
        const auto is_package = [&](const std::string& id) {
            const Fact* build = matrix.find("build", id);
            const Fact* release = build ? matrix.find("release", build->parent) : nullptr;
            return release && release->text("component") == package;
        };
        if (!passed(*record) || std::ranges::none_of(texts(record->find("builds")), is_package)) continue;
        std::string drivers;
        for (const auto& [kind, number] : record->find("driver")->members) drivers += " with " + kind + " " + number.text;
        others.push_back(std::string(record->text("architecture")) + drivers + " on " + std::string(record->text("os")) + " (" + to_string(record->at) + ")");
        if (others.size() <= most) cite(reason, *record);
    }
    if (others.empty()) reason.text += ", and none of " + package + " at all";
    else reason.text += "; those of " + package + " are of " + listed({others.begin(), others.begin() + static_cast<std::ptrdiff_t>(std::min(most, others.size()))}) + (others.size() > most ? " and others" : "");
    return reason;
}

Judgement judge_records(const Question& question, const Tried& tried) {
    const Fact* near = nullptr;
    const Fact* failure = nullptr;
    std::set<std::string, std::less<>> hosts;   // that failed since the last pass
    for (const Fact* record : question.host.records) {   // newest first
        if (!same_builds(*record, tried)) continue;
        if (!differences(question, *record, tried).empty()) {
            if (!near && passed(*record)) near = record;
            continue;
        }
        if (passed(*record)) return decide(*record, Level::verified);
        if (!failure) failure = record;
        if (!is_of_the_stack(*record)) continue;
        hosts.emplace(record->text("host"));
        if (hosts.size() > 1 || host_passes_another(question, *record)) return decide(*record, Level::broken);
    }
    if (failure) return tell(*failure, "this stack " + what(*failure) + " on one host" + on_host(*failure));
    if (near) return tell(*near, "a stack like this " + what(*near) + ", with " + listed(differences(question, *near, tried)));
    return {};
}

}  // namespace vmatrix::compat
