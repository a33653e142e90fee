#include "compat/check.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compat/evaluate.hpp"
#include "compat/repairs.hpp"
#include "compat/resolve.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// Changes of one part that make the verdict better, each evaluated again.
class Repairs {
public:
    Repairs(const Matrix& matrix, const Host& host, const Request& request, Level now, Judged& judged) : matrix_(matrix), host_(host), request_(request), now_(now), judged_(judged) {}

    std::vector<Repair> find() {
        environment();
        companions();
        image();
        package();
        python();
        driver();
        system();
        kernel();
        order_by_cost(matrix_, request_, repairs_);
        return std::move(repairs_);
    }

    /// Where nothing is known to help, what nobody knows may still be worth a try.
    std::vector<Repair> find_tries() {
        least_ = Level::unknown;
        package();
        return std::move(repairs_);
    }

private:
    bool better(const Host& host, const Request& request) const {
        const auto evaluation = evaluate(matrix_, host, request);
        return evaluation && evaluation->level() > now_ && evaluation->level() >= least_;
    }

    /// The request with other versions of one wish.
    Request with_versions(const std::string& name, const std::string& versions) const {
        Request changed = request_;
        *std::ranges::find(changed.specs, name, &Spec::name) = {name + versions, name, versions};
        return changed;
    }

    void add(Repair repair) {
        if (std::ranges::find(repairs_, repair.text, &Repair::text) == repairs_.end()) repairs_.push_back(std::move(repair));
    }

    void environment() {
        for (const auto& [name, value] : request_.environment) {
            Request changed = request_;
            changed.environment.erase(name);
            const auto evaluation = evaluate(matrix_, host_, changed);
            if (!evaluation || evaluation->level() <= now_ || evaluation->level() < Level::workaround) continue;
            std::string instead;
            for (const Judgement& judgement : evaluation->judgements)
                if (const auto set = judgement.environment.find(name); set != judgement.environment.end()) instead = set->second;
            add({instead.empty() ? "unset " + name : "set " + name + "=" + instead, {{name, instead}}, {}});
        }
    }

    /// Another build of the same release, the one that is known best, and the newest.
    void package() {
        const Spec* spec = main_spec(matrix_, request_);
        if (!spec) return;
        const auto equals = spec->versions.find("==");
        if (equals == 0) offer(*spec, spec->versions.substr(0, spec->versions.find('+')), Policy::best_evidence);
        offer(*spec, "", Policy::best_evidence);
        offer(*spec, "", Policy::newest);
    }

    void offer(const Spec& spec, const std::string& versions, Policy policy) {
        Request changed = request_;
        changed.policy = policy;
        std::erase_if(changed.specs, [&](const Spec& other) { return other.name == spec.name; });
        changed.specs.insert(changed.specs.begin(), {spec.name + versions, spec.name, versions});
        auto stack = best_stack(matrix_, host_, changed, judged_);
        std::string also;
        if (!changed.environment.empty() && (!stack || stack->level <= now_)) {
            for (const auto& [name, value] : changed.environment) also += ", and unset " + name;
            changed.environment.clear();
            stack = best_stack(matrix_, host_, changed, judged_);
        }
        if (!stack || stack->level <= now_ || stack->level < least_) return;
        const std::string& version = stack->components.at(spec.name);
        const auto offered = [&](const Repair& repair) { return repair.changes.contains(spec.name) && repair.changes.at(spec.name) == version; };
        const bool has_it = spec.versions == "==" + version;   // then it is the environment that changes
        const auto same = std::ranges::find(changed.specs, spec.name, &Spec::name);
        *same = {spec.name + "==" + version, spec.name, "==" + version};
        changed.environment.insert(stack->environment.begin(), stack->environment.end());
        if (has_it || std::ranges::any_of(repairs_, offered) || !better(host_, changed)) return;
        Repair repair{(stack->level == Level::unknown ? "try " : "use ") + spec.name + " " + version + also, {{spec.name, version}}, stack->builds};
        if (!also.empty())
            for (const auto& [name, value] : request_.environment) repair.changes[name] = "";
        repair.set(stack->environment);
        add(std::move(repair));
    }

    /// The companion or library that belongs to the build.
    void companions() {
        const Spec* main = main_spec(matrix_, request_);
        for (const Spec& spec : request_.specs) {
            if (&spec == main || spec.versions.empty()) continue;
            if (!main || is_runtime(*main)) library(spec);
            const auto stack = best_stack(matrix_, host_, with_versions(spec.name, ""), judged_);
            if (!stack || !stack->components.contains(spec.name)) continue;
            const std::string& version = stack->components.at(spec.name);
            if (better(host_, with_versions(spec.name, "==" + version))) add({"use " + spec.name + " " + version, {{spec.name, version}}, {}});
        }
    }

    /// The newest release of a library that does better.
    void library(const Spec& spec) {
        for (const auto& [version, release] : releases_of(matrix_, spec.name, Scheme::dotted)) {
            if (!better(host_, with_versions(spec.name, "==" + version.str()))) continue;
            add({"use " + spec.name + " " + version.str(), {{spec.name, version.str()}}, {}});
            return;
        }
    }

    void image() {
        if (request_.image) same_repository();
        if (!request_.image && !request_.os) return;
        Request changed = request_;
        Host other = host_;
        if (request_.image) leave_image(matrix_, changed, other);
        else leave_system(matrix_, changed, other);   // it may be what is wrong
        const auto stack = best_stack(matrix_, other, changed, judged_);
        if (!stack || !stack->image) return;
        try_image(image_name(*stack->image), changed, other);
    }

    /// The next image of the same repository that does better, those on the same runtime first.
    void same_repository() {
        for (const std::string& name : images_beside(matrix_, host_.image, *request_.image)) {
            Request changed = request_;
            Host other = host_;
            if (try_image(name, changed, other)) return;
        }
    }

    bool try_image(const std::string& name, Request& request, Host& host) {
        request.image = name;
        host.image = find_image(matrix_, name);
        host.os_name = host_.os_name;
        read_user_space(matrix_, request, host);
        const bool helps = better(host, request);
        if (helps) add({(request_.image ? "use the image " : "run it in the image ") + name, {{"image", name}}, {}});
        return helps;
    }

    void python() {
        if (!request_.python) return;
        Level best = now_;
        std::string found;
        for (const Fact* release : matrix_.of("python-release")) {   // newest first
            Request changed = request_;
            changed.python = std::string(release->text("version"));
            const auto evaluation = evaluate(matrix_, host_, changed);
            if (!evaluation || evaluation->level() <= best || evaluation->level() < Level::workaround) continue;
            best = evaluation->level();
            found = *changed.python;
        }
        if (!found.empty()) add({"use Python " + found, {{"python", found}}, {}});
    }

    /// The newest driver of the nearest branch that is good enough: newer than this one and not a legacy branch, if there is such.
    void driver() {
        if (!host_.driver || host_.driver_component != "nvidia") return;
        auto drivers = newest_drivers(host_);
        const auto newer = std::ranges::find_if(drivers, [&](const BranchDriver& driver) { return *host_.driver <= driver.version; });
        std::reverse(drivers.begin(), newer);
        std::ranges::rotate(drivers, newer);
        std::ranges::stable_partition(drivers, [&](const BranchDriver& driver) { return *host_.driver <= driver.version && driver.branch->text("support") != "legacy"; });
        for (const auto& [latest, branch] : drivers) {
            Host other = host_;
            other.driver = latest;
            if (!better(other, request_)) continue;
            add({"install driver " + latest.str() + " (branch " + std::string(branch->text("branch")) + ")" + (latest < *host_.driver ? "" : " or newer"), {{"driver", latest.str()}}, {}});
            return;
        }
    }

    void system() {
        if (const auto elsewhere = on_linux(matrix_, host_, request_); elsewhere && better(elsewhere->second, elsewhere->first)) add({"run it on Linux or in WSL2", {{"os", "wsl2"}}, {}});
        for (const std::string& os : newer_systems(matrix_, request_)) {
            Request changed = request_;
            Host other = host_;
            change_system(matrix_, changed, other, os);
            if (better(other, changed)) return add({"upgrade to " + os, {{"os", os}}, {}});
        }
    }

    void kernel() {
        for (const Version& kernel : other_kernels(matrix_, host_)) {
            Request changed = request_;
            Host other = host_;
            changed.kernel = kernel.str();
            other.kernel = kernel;
            if (better(other, changed)) return add({"boot kernel " + kernel.str(), {{"kernel", kernel.str()}}, {}});
        }
    }

    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    Level now_;
    Level least_ = Level::workaround;   ///< what a repair has to reach
    std::vector<Repair> repairs_;
    Judged& judged_;
};

}  // namespace

std::string_view verdict(Level level) { return level >= Level::expected ? "works" : to_string(level); }

base::Result<CheckAnswer> check(const Matrix& matrix, const Host& host, const Request& request) {
    auto evaluation = evaluate(matrix, host, request);
    if (!evaluation) return tl::make_unexpected(evaluation.error());
    CheckAnswer answer;
    const auto says = [](const Judgement& judgement) { return !judgement.reason.text.empty(); };
    answer.level = std::ranges::any_of(evaluation->judgements, says) ? evaluation->level() : Level::unknown;
    answer.assumptions = host.assumptions;
    std::ranges::move(evaluation->assumptions, std::back_inserter(answer.assumptions));
    worst_first(evaluation->judgements);
    std::vector<Advice> advice;
    bool about_card = false;
    for (Judgement& judgement : evaluation->judgements) {
        if (judgement.level < Level::expected) {
            std::ranges::move(judgement.advice, std::back_inserter(advice));
            about_card = about_card || judgement.reason.is_about("gpu");
        }
        for (const auto& [name, value] : judgement.environment)
            if (const auto set = request.environment.find(name); answer.level != Level::broken && (set == request.environment.end() || set->second != value)) answer.environment[name] = value;
        if (judgement.issue && std::ranges::find(answer.issues, judgement.issue) == answer.issues.end()) answer.issues.push_back(judgement.issue);
        const bool told = std::ranges::find(answer.reasons, judgement.reason.text, &Reason::text) != answer.reasons.end();
        if (!judgement.reason.text.empty() && !told) answer.reasons.push_back(std::move(judgement.reason));
    }
    if (answer.reasons.empty()) {
        answer.assumptions.clear();
        std::vector<std::string> named;
        for (const Spec& spec : request.specs) named.push_back(spec.text);
        answer.reasons.push_back({"packaging", {}, named.empty() ? "nothing here can be judged together: name a package, a driver or an image beside the card"
                                                                 : "no rule of the matrix judges " + listed(named) + ": name the torch, CUDA or ROCm that belongs to it", {}, {}});
        return answer;
    }
    if (answer.level < Level::expected) {
        Judged judged;
        answer.repairs = Repairs(matrix, host, request, answer.level, judged).find();
        add_advice(answer.repairs, advice);
        const Spec* main = main_spec(matrix, request);
        if (answer.repairs.empty() && (main || request.image))
            if (auto repair = fresh_start(matrix, host, request, subject_of(matrix, request).name, judged)) answer.repairs.push_back(std::move(*repair));
        if (!answer.repairs.empty()) return answer;
        if (answer.level == Level::broken) answer.repairs = Repairs(matrix, host, request, answer.level, judged).find_tries();
        auto last = main ? last_resorts(matrix, host, request, about_card) : std::vector<Repair>{};
        if (last.empty() && answer.level == Level::broken) last = last_resorts(matrix, host, request, true);
        std::ranges::move(last, std::back_inserter(answer.repairs));
    }
    return answer;
}

}  // namespace vmatrix::compat
