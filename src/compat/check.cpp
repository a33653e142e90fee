#include "compat/check.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compat/candidates.hpp"
#include "compat/resolve.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// Everything that was found out about one way to read the request.
struct Evaluation {
    std::vector<Judgement> judgements;
    std::vector<std::string> assumptions;

    [[nodiscard]] Level level() const { return worst(judgements); }
};

Judgement unknown(std::string layer, std::string component, std::string text) {
    Judgement judgement;
    judgement.level = Level::unknown;
    judgement.reason = {std::move(layer), {std::move(component)}, std::move(text), {}, {}};
    return judgement;
}

class Checker {
public:
    /// What is installed in a container replaces what its image held: the image does not forbid it.
    Checker(const Matrix& matrix, const Host& host, const Request& request) : matrix_(matrix), host_(host), request_(request), installed_(request) { installed_.image.reset(); }

    base::Result<Evaluation> run() {
        if (host_.driver)
            for (const Card& card : host_.cards)
                if (card.vendor == "nvidia" || host_.driver_component.starts_with("nvidia")) add(judge_card_driver(host_, card, *host_.driver));
        if (host_.driver && host_.kernel && host_.driver_component == "amdgpu-dkms") add(judge_module(matrix_, host_.driver_component, *host_.driver, *host_.kernel));
        bool stack = false, framework = false;
        for (const Spec& spec : request_.specs) {
            if (!has_builds(matrix_, spec.name)) continue;
            framework = true;
            if (auto done = framework_spec(spec); !done) return tl::make_unexpected(done.error());
        }
        for (const Spec& spec : request_.specs) {
            const bool runtime = spec.name == "cuda" || spec.name == "rocm";
            stack = stack || framework || runtime;
            if (framework && runtime) continue;   // judged with the framework
            if (auto done = other_spec(spec, framework); !done) return tl::make_unexpected(done.error());
        }
        if (request_.image) {
            add(judge_image_start(matrix_, host_, *request_.image, host_.driver));
            for (const Card& card : host_.cards)
                if (!stack) add(judge_image_content(matrix_, host_, request_.environment, host_.image, *request_.image, card));
        }
        std::ranges::move(unjudged(matrix_, request_), std::back_inserter(evaluation_.assumptions));
        return std::move(evaluation_);
    }

private:
    void add(Judgement judgement) {
        if (!judgement.reason.text.empty()) evaluation_.judgements.push_back(std::move(judgement));
    }
    void add(std::vector<Judgement> judgements) {
        for (Judgement& judgement : judgements) add(std::move(judgement));
    }

    std::vector<Judgement> evaluate(const Candidate& candidate) const {
        auto all = candidate.judgements;
        if (host_.driver) all.push_back(with_driver(matrix_, host_, candidate, *host_.driver));
        if (request_.python) all.push_back(with_python(host_, candidate, *request_.python));
        return all;
    }

    base::Result<void> framework_spec(const Spec& spec) {
        const Spec* runtime = runtime_wish();
        auto builds = find_builds(matrix_, spec, host_, !runtime);
        if (!builds) return tl::make_unexpected(builds.error());
        if (runtime) {
            const auto labels = labels_of(*builds);
            std::erase_if(*builds, [&](const Build& build) { return build.accelerator != runtime->name; });
            if (builds->empty() && !labels.empty()) {
                add(unknown("packaging", spec.name, spec.text + " has no build for " + runtime->name + ", only " + listed(labels)));
                evaluation_.judgements.back().level = Level::broken;
                return {};
            }
        }
        if (builds->empty()) {
            add(no_build(spec));
            return {};
        }
        std::optional<std::vector<Judgement>> best;
        const Build* chosen = nullptr;
        for (const Build& build : *builds) {
            auto all = evaluate(make_candidate(matrix_, host_, installed_, build));
            if (best && worst(all) <= worst(*best)) continue;
            best = std::move(all);
            chosen = &build;
        }
        add(std::move(*best));
        if (chosen->assumed_default) evaluation_.assumptions.push_back(spec.text + " means " + chosen->title() + ", the build on PyPI for " + host_.platform);
        else if (builds->size() > 1) evaluation_.assumptions.push_back(spec.text + " is judged by " + chosen->title() + ", the best of " + std::to_string(builds->size()) + " builds");
        if (!host_.driver && chosen->accelerator == "cuda" && chosen->runtime)
            if (const Fact* floor = cuda_floor(matrix_, host_, *chosen->runtime))
                evaluation_.assumptions.push_back("the driver is " + floor->find("requires", host_.driver_component)->text + ", as " + floor->id + " asks");
        return {};
    }

    /// "cuda==12.4" or "rocm==6.0" beside a framework: which of its builds are meant.
    [[nodiscard]] const Spec* runtime_wish() const {
        const auto found = std::ranges::find_if(request_.specs, [](const Spec& spec) { return spec.name == "cuda" || spec.name == "rocm"; });
        return found == request_.specs.end() ? nullptr : &*found;
    }

    static std::vector<std::string> labels_of(const std::vector<Build>& builds) {
        std::vector<std::string> labels;
        for (const Build& build : builds)
            if (std::ranges::find(labels, build.label) == labels.end()) labels.push_back(build.label);
        return labels;
    }

    /// The release exists, the build asked for does not: that is a no. A release that is not known is unknown.
    Judgement no_build(const Spec& spec) const {
        const auto plus = spec.versions.find('+');
        const auto plain = plus == std::string::npos ? base::fail("") : VersionSet::parse(Scheme::pep440, spec.versions.substr(0, plus));
        for (const auto& [version, release] : releases_of(matrix_, spec.name, Scheme::pep440)) {
            if (!plain || !plain->contains(version)) continue;
            std::vector<std::string> labels;
            for (const Fact* build : matrix_.nested(*release)) labels.emplace_back(build->text("build"));
            Judgement judgement;
            judgement.level = Level::broken;
            judgement.reason = {"packaging", {spec.name}, spec.name + " " + version.str() + " has no build " + spec.versions.substr(plus + 1) + ", only " + listed(labels), {}, {}};
            cite(judgement.reason, *release);
            return judgement;
        }
        return unknown("packaging", spec.name, "the matrix knows no release of " + spec.name + " that matches " + spec.versions);
    }

    base::Result<void> other_spec(const Spec& spec, bool framework) {
        if (has_builds(matrix_, spec.name)) return {};
        if (spec.name != "cuda" && spec.name != "rocm") {
            return framework ? base::Result<void>{} : library_spec(spec);
        }
        if (spec.versions.empty()) return {};
        const auto set = read_versions(spec, Scheme::dotted);
        if (!set) return tl::make_unexpected(set.error());
        std::optional<std::vector<Judgement>> best;
        for (const Version& version : versions_of(spec, *set)) {
            auto all = evaluate(make_candidate(matrix_, host_, installed_, spec.name, version));
            if (!best || worst(all) > worst(*best)) best = std::move(all);
        }
        if (best) add(std::move(*best));
        else add(unknown("runtime", spec.name, "the matrix knows no release of " + spec.name + " that matches " + spec.versions));
        return {};
    }

    /// A library by itself, or beside a runtime.
    base::Result<void> library_spec(const Spec& spec) {
        const auto scheme = matrix_.scheme(spec.name);
        if (!scheme) return {};
        if (auto set = read_versions(spec, *scheme); !set) return tl::make_unexpected(set.error());
        const auto version = exact_version(spec, *scheme);
        const Spec* runtime = runtime_wish();
        if (version && *scheme == Scheme::dotted) add(judge_library(matrix_, host_, spec.name, *version, runtime && runtime->name == "cuda" ? exact_version(*runtime, Scheme::dotted) : std::nullopt));
        return {};
    }

    /// The releases that a wish means; an exact wish means what it says even without a release of that very number.
    std::vector<Version> versions_of(const Spec& spec, const VersionSet& set) const {
        if (auto exact = exact_version(spec, Scheme::dotted)) return {std::move(*exact)};
        std::vector<Version> versions;
        for (auto& [version, release] : releases_of(matrix_, spec.name, Scheme::dotted))
            if (set.contains(version)) versions.push_back(std::move(version));
        return versions;
    }

    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    Request installed_;
    Evaluation evaluation_;
};

base::Result<Evaluation> evaluate(const Matrix& matrix, const Host& host, const Request& request) { return Checker(matrix, host, request).run(); }

/// Changes of one part that make the verdict better, each evaluated again.
class Repairs {
public:
    Repairs(const Matrix& matrix, const Host& host, const Request& request, Level now) : matrix_(matrix), host_(host), request_(request), now_(now) {}

    std::vector<Repair> find() {
        environment();
        companions();
        image();
        package();
        python();
        driver();
        return std::move(repairs_);
    }

private:
    bool better(const Host& host, const Request& request) const {
        const auto evaluation = evaluate(matrix_, host, request);
        return evaluation && evaluation->level() > now_ && evaluation->level() >= Level::workaround;
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
            add({instead.empty() ? "unset " + name : "set " + name + "=" + instead, {{name, instead}}, std::nullopt});
        }
    }

    /// Another build of the same release, and the best stack of all.
    void package() {
        const Spec* spec = main_spec(matrix_, request_);
        if (!spec) return;
        const auto equals = spec->versions.find("==");
        if (equals == 0) offer(*spec, spec->versions.substr(0, spec->versions.find('+')));
        offer(*spec, "");
    }

    void offer(const Spec& spec, const std::string& versions) {
        Request changed = request_;
        std::erase_if(changed.specs, [&](const Spec& other) { return other.name == spec.name; });
        changed.specs.insert(changed.specs.begin(), {spec.name + versions, spec.name, versions});
        auto stack = best_stack(matrix_, host_, changed);
        std::string also;
        if (!changed.environment.empty() && (!stack || stack->level <= now_)) {
            for (const auto& [name, value] : changed.environment) also += ", and unset " + name;
            changed.environment.clear();
            stack = best_stack(matrix_, host_, changed);
        }
        if (!stack || stack->level <= now_ || stack->level < Level::workaround) return;
        const std::string& version = stack->components.at(spec.name);
        const auto offered = [&](const Repair& repair) { return repair.changes.contains(spec.name) && repair.changes.at(spec.name) == version; };
        const bool has_it = spec.versions == "==" + version && stack->environment.empty();   // then it is the environment that changes
        const auto same = std::ranges::find(changed.specs, spec.name, &Spec::name);
        *same = {spec.name + "==" + version, spec.name, "==" + version};
        changed.environment.insert(stack->environment.begin(), stack->environment.end());
        if (has_it || std::ranges::any_of(repairs_, offered) || !better(host_, changed)) return;
        Repair repair{"use " + spec.name + " " + version + also, {{spec.name, version}}, stack->build};
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
            Request changed = request_;
            const auto same = std::ranges::find(changed.specs, spec.name, &Spec::name);
            *same = {spec.name, spec.name, {}};
            const auto stack = best_stack(matrix_, host_, changed);
            if (!stack || !stack->components.contains(spec.name)) continue;
            const std::string& version = stack->components.at(spec.name);
            *same = {spec.name + "==" + version, spec.name, "==" + version};
            if (better(host_, changed)) add({"use " + spec.name + " " + version, {{spec.name, version}}, std::nullopt});
        }
    }

    void image() {
        if (!request_.image) return;
        Request changed = request_;
        changed.image.reset();
        Host other = host_;
        other.image = nullptr;
        read_user_space(matrix_, changed, other);
        const auto stack = best_stack(matrix_, other, changed);
        if (!stack || !stack->image) return;
        changed.image = image_name(*stack->image);
        other.image = stack->image;
        read_user_space(matrix_, changed, other);
        if (better(other, changed)) add({"use the image " + *changed.image, {{"image", *changed.image}}, std::nullopt});
    }

    void python() {
        if (!request_.python) return;
        for (const Fact* release : matrix_.of("python-release")) {
            Request changed = request_;
            changed.python = std::string(release->text("version"));
            if (!better(host_, changed)) continue;
            add({"use Python " + *changed.python, {{"python", *changed.python}}, std::nullopt});
            return;
        }
    }

    /// The newest driver of the oldest branch that is good enough: newer than this one and not a legacy branch, if there is such.
    void driver() {
        if (!host_.driver || host_.driver_component != "nvidia") return;
        auto drivers = newest_drivers(host_);
        const auto effort = [&](const BranchDriver& driver) { return (driver.version < *host_.driver ? 2 : 0) + (driver.branch->text("support") == "legacy" ? 1 : 0); };
        std::ranges::stable_sort(drivers, {}, effort);
        for (const auto& [latest, branch] : drivers) {
            Host other = host_;
            other.driver = latest;
            if (!better(other, request_)) continue;
            add({"install driver " + latest.str() + " (branch " + std::string(branch->text("branch")) + ")" + (latest < *host_.driver ? "" : " or newer"), {{"driver", latest.str()}}, std::nullopt});
            return;
        }
    }

    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    Level now_;
    std::vector<Repair> repairs_;
};

}  // namespace

std::string_view verdict(Level level) { return level >= Level::expected ? "works" : to_string(level); }

base::Result<CheckAnswer> check(const Matrix& matrix, const Host& host, const Request& request) {
    auto evaluation = evaluate(matrix, host, request);
    if (!evaluation) return tl::make_unexpected(evaluation.error());
    CheckAnswer answer;
    answer.level = evaluation->judgements.empty() ? Level::unknown : evaluation->level();
    answer.assumptions = host.assumptions;
    std::ranges::move(evaluation->assumptions, std::back_inserter(answer.assumptions));
    std::ranges::stable_sort(evaluation->judgements, {}, &Judgement::level);
    std::vector<Repair> advice;
    for (Judgement& judgement : evaluation->judgements) {
        if (judgement.level < Level::expected)
            for (std::string& text : judgement.advice)
                if (!text.empty()) advice.push_back({std::move(text), {}, std::nullopt});
        for (const auto& [name, value] : judgement.environment)
            if (const auto set = request.environment.find(name); set == request.environment.end() || set->second != value) answer.environment[name] = value;
        answer.reasons.push_back(std::move(judgement.reason));
    }
    if (answer.reasons.empty()) {
        answer.assumptions.clear();
        answer.reasons.push_back({"packaging", {}, "nothing here can be judged together: name a package, a driver or an image beside the card", {}, {}});
        return answer;
    }
    if (answer.level < Level::expected) {
        answer.repairs = Repairs(matrix, host, request, answer.level).find();
        for (Repair& text : advice)
            if (std::ranges::find(answer.repairs, text.text, &Repair::text) == answer.repairs.end()) answer.repairs.push_back(std::move(text));
        if (answer.repairs.empty())
            for (const Card& card : host.cards) answer.repairs.push_back({"use another card than " + card.name + ", or run on the processor (cpu build)", {}, std::nullopt});
    }
    return answer;
}

}  // namespace vmatrix::compat
