#include "compat/evaluate.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "compat/records.hpp"
#include "compat/relations.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

Judgement unknown(std::string layer, std::string component, std::string text) {
    Judgement judgement;
    judgement.level = Level::unknown;
    judgement.reason = {std::move(layer), {std::move(component)}, std::move(text), {}, {}};
    return judgement;
}

/// How well candidates do: the worst level, then how many parts are broken.
struct Score {
    Level level = Level::supported;
    int broken = 0;

    void take(Level part) {
        level = std::min(level, part);
        broken -= part == Level::broken ? 1 : 0;
    }
    auto operator<=>(const Score&) const = default;
};

/// The choice of one candidate of each package that does best together, found by trying all that can still do better.
class BestTogether {
public:
    BestTogether(const Question& question, const std::vector<Choice>& choices, std::vector<std::vector<Level>> levels) : question_(question), choices_(choices), levels_(std::move(levels)) {
        for (std::size_t one = 0; one < choices.size(); ++one)
            for (std::size_t other = 0; other < one; ++other) links_[{other, one}] = link_of(question, choices[other], choices[one]);
    }

    /// An index for each choice.
    std::vector<std::size_t> find() {
        try_next({});
        return best_;
    }
    std::vector<Judgement> together(const std::vector<std::size_t>& chosen) const {
        std::vector<Judgement> all;
        for (const auto& [pair, link] : links_)
            std::ranges::move(with_package(question_, link, choices_[pair.first].candidates[chosen[pair.first]], choices_[pair.second].candidates[chosen[pair.second]]), std::back_inserter(all));
        return all;
    }

private:
    [[nodiscard]] bool can_do_better(const Score& score) const { return best_.empty() || score > score_; }

    void try_next(const Score& so_far) {
        const std::size_t at = tried_.size();
        if (!can_do_better(so_far)) return;
        if (at == choices_.size()) {
            best_ = tried_;
            score_ = so_far;
            return;
        }
        for (std::size_t c = 0; c < choices_[at].candidates.size(); ++c) {
            Score score = so_far;
            score.take(levels_[at][c]);
            for (std::size_t other = 0; other < at && can_do_better(score); ++other)
                score.take(worst(with_package(question_, links_.at({other, at}), choices_[other].candidates[tried_[other]], choices_[at].candidates[c])));
            if (score.level == Level::broken && choices_[at].candidates[c].absent()) score.take(Level::broken);   // one that does not fit tells more than none
            tried_.push_back(c);
            try_next(score);
            tried_.pop_back();
        }
    }

    const Question& question_;
    const std::vector<Choice>& choices_;
    std::vector<std::vector<Level>> levels_;
    std::map<std::pair<std::size_t, std::size_t>, Link> links_;
    std::vector<std::size_t> tried_, best_;
    Score score_;
};

class Checker {
public:
    /// What is installed in a container replaces what its image held: the image does not forbid it.
    Checker(const Matrix& matrix, const Host& host, const Request& request)
        : matrix_(matrix), host_(host), request_(request), installed_(without_image(request)), question_(matrix, host, installed_) {
        tried_ = {{}, request.python ? minor_of(*request.python) : host.python, host.driver};
    }

    base::Result<Evaluation> run() {
        if (host_.driver) add(of_driver({matrix_, host_, request_}, *host_.driver));
        else if (request_.image) add(judge_image_start(matrix_, host_, *request_.image, std::nullopt));
        add(of_host(question_));
        bool stack = false;
        for (const Spec& spec : request_.specs) {
            if (!question_.packages.contains(spec.name) || is_in_image(spec)) continue;
            stack = true;
            if (auto done = add_package(spec); !done) return tl::make_unexpected(done.error());
        }
        const bool framework = stack;
        judge_packages();
        for (const Spec& spec : request_.specs) {
            stack = stack || is_runtime(spec);
            if (framework && is_runtime(spec)) continue;   // judged with the framework
            if (auto done = other_spec(spec, framework); !done) return tl::make_unexpected(done.error());
        }
        if (!stack) add(judge_modules(host_));
        if (request_.image) add(judge_image_system(matrix_, host_, *request_.image));
        if (request_.image) add(judge_image_there(matrix_, host_, *request_.image));
        if (request_.image && !stack) add(issues_of_image());
        if (request_.image)
            for (const Card& card : host_.cards) {
                if (stack) add(judge_image_maker(host_.image, *request_.image, card));
                else add(judge_image_content(matrix_, host_, request_.environment, host_.image, *request_.image, card));
            }
        add(judge_records({matrix_, host_, request_}, tried_));
        std::ranges::move(unjudged(matrix_, request_), std::back_inserter(evaluation_.assumptions));
        return std::move(evaluation_);
    }

private:
    static Request without_image(Request request) {
        request.image.reset();
        return request;
    }

    void add(Judgement judgement) {
        if (!judgement.reason.text.empty() || judgement.issue) evaluation_.judgements.push_back(std::move(judgement));
    }
    void add(std::vector<Judgement> judgements) {
        for (Judgement& judgement : judgements) add(std::move(judgement));
    }

    /// Known issues of what the image holds.
    std::vector<Judgement> issues_of_image() const {
        Parts inside;
        const Value* bundles = host_.image ? host_.image->find("bundles") : nullptr;
        for (const auto& [name, text] : bundles ? bundles->members : std::vector<model::Entry>{}) {
            const auto scheme = matrix_.scheme(name);
            if (auto version = scheme ? Version::parse(*scheme, text.text) : base::fail("")) inside.emplace(name, std::move(*version));
        }
        return judge_issues(host_.issues, request_, {&inside, &question_.around}, {&inside});
    }

    /// A bare name beside an image that holds the package means that one.
    [[nodiscard]] bool is_in_image(const Spec& spec) const { return spec.versions.empty() && host_.image && host_.image->find("bundles", spec.name); }

    std::vector<Judgement> evaluate(const Candidate& candidate) const {
        auto all = candidate.judgements;
        const auto more = [&](std::vector<Judgement> judgements) { std::ranges::move(judgements, std::back_inserter(all)); };
        if (host_.driver) more(with_driver(question_, candidate, *host_.driver));
        if (request_.python) more(with_python(question_, candidate, *request_.python));
        return all;
    }

    /// The builds that a wish means, as a choice; a wish that means none is judged at once.
    base::Result<void> add_package(const Spec& spec) {
        const Spec* runtime = is_of_subject(question_, spec.name) ? runtime_wish() : nullptr;
        auto builds = find_builds(matrix_, spec, host_, !runtime);
        if (!builds) return tl::make_unexpected(builds.error());
        const auto leads = [&](const Build& build) { return make_candidate(question_, build).leads; };
        if (runtime && std::ranges::all_of(*builds, leads)) {
            const auto labels = labels_of(*builds);
            std::erase_if(*builds, [&](const Build& build) { return build.accelerator != runtime->name && build.accelerator != "any"; });
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
        Choice choice{spec, false, {}};
        for (Build& build : *builds) choice.candidates.push_back(make_candidate(question_, std::move(build)));
        choices_.push_back(std::move(choice));
        return {};
    }

    /// What the packages can do at best, together with those that they need.
    void judge_packages() {
        if (choices_.empty()) return;
        Judged judged;
        add_needed(question_, choices_, turns_on(question_), judged);
        std::vector<std::vector<Level>> levels;
        for (const Choice& choice : choices_) {
            levels.emplace_back();
            for (const Candidate& candidate : choice.candidates) levels.back().push_back(worst(evaluate(candidate)));
        }
        BestTogether search(question_, choices_, std::move(levels));
        const auto chosen = search.find();
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            const Candidate& candidate = choices_[i].candidates[chosen[i]];
            if (candidate.absent()) continue;
            add(evaluate(candidate));
            tried_.builds.push_back(&*candidate.build);
            if (!choices_[i].implied) add(missing_parts(choices_[i].wish, candidate));
            assume(choices_[i], candidate);
        }
        add(search.together(chosen));
    }

    /// "jax" alone has no code for a card: that is in packages named after it, which an extra brings. No text where they are asked for.
    Judgement missing_parts(const Spec& spec, const Candidate& candidate) const {
        Judgement judgement;
        const Value* companions = candidate.build->fact ? candidate.build->fact->find("companions") : nullptr;
        const std::string selector(candidate.build->fact ? candidate.build->fact->text("selector") : "");
        if (!companions || host_.cards.empty() || spec.versions.find('+') != std::string::npos || (!selector.empty() && spec.extras.find(selector) != std::string::npos)) return judgement;
        std::vector<std::string> missing;
        for (const auto& [name, version] : companions->members) {
            if (!name.starts_with(spec.name + "-")) continue;
            if (std::ranges::any_of(request_.specs, [&](const Spec& other) { return other.name == name; })) return judgement;
            missing.push_back(name + "==" + version.text);
        }
        if (missing.empty()) return judgement;
        judgement.level = Level::workaround;
        judgement.reason = {"packaging", {spec.name}, spec.name + " alone runs on the processor: its code for the card is in " + listed(missing), {}, {}};
        cite(judgement.reason, *candidate.build->fact);
        judgement.advice.push_back({"install " + listed(missing) + " too" + (selector.empty() ? "" : ", as " + spec.name + "[" + selector + "] does"), {}});
        return judgement;
    }

    /// What a wish was taken for.
    void assume(const Choice& choice, const Candidate& candidate) {
        const Build& build = *candidate.build;
        auto& assumptions = evaluation_.assumptions;
        if (const Value* inside = host_.image ? host_.image->find("bundles", build.package) : nullptr; inside && !image_holds(*host_.image, build))
            assumptions.push_back(build.title() + " is installed in place of " + inside->text + ", which the image holds");
        if (choice.implied) assumptions.push_back("with " + build.title() + ", as none was named");
        else if (build.assumed_default) assumptions.push_back(choice.wish.text + " means " + build.title() + ", the build on PyPI for " + host_.platform);
        else if (choice.candidates.size() > 1) assumptions.push_back(choice.wish.text + " is judged by " + build.title() + ", the best of " + std::to_string(choice.candidates.size()) + " builds");
        if (auto driver = candidate.leads && candidate.rocm ? assumed_amdgpu(matrix_, host_, *candidate.rocm) : std::nullopt) assumptions.push_back(std::move(*driver));
        if (!host_.driver && candidate.leads && candidate.cuda)
            if (const Fact* floor = cuda_floor(matrix_, host_, *candidate.cuda))
                assumptions.push_back("the driver is " + floor->find("requires", host_.driver_component)->text + ", as " + floor->id + " asks" + drivers_of_cards());
    }

    [[nodiscard]] std::string drivers_of_cards() const {
        std::string text;
        for (const Card& card : host_.cards)
            if (const Value* range = card.generation ? card.generation->find("drivers", host_.driver_component) : nullptr) text += ", and " + range->text + " for " + card.title();
        return text;
    }

    /// "cuda==12.4" or "rocm==6.0" beside a framework: which of its builds are meant.
    [[nodiscard]] const Spec* runtime_wish() const {
        const auto found = std::ranges::find_if(request_.specs, is_runtime);
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
        if (question_.packages.contains(spec.name)) return {};   // judged already, or with the image
        if (!is_runtime(spec)) {
            return framework ? base::Result<void>{} : library_spec(spec);
        }
        if (spec.versions.empty()) return {};
        const auto set = read_versions(spec, Scheme::dotted);
        if (!set) return tl::make_unexpected(set.error());
        std::optional<std::vector<Judgement>> best;
        for (const Version& version : versions_of(spec, *set)) {
            auto all = evaluate(make_candidate(question_, spec.name, version));
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
        const std::size_t before = evaluation_.judgements.size();
        if (version && *scheme == Scheme::dotted) add(judge_library(matrix_, host_, spec.name, *version, runtime && runtime->name == "cuda" ? exact_version(*runtime, Scheme::dotted) : std::nullopt));
        if (evaluation_.judgements.size() == before) add(unknown("runtime", spec.name, "no rule of the matrix judges " + spec.text + " by itself: name the torch, CUDA or ROCm that it goes with"));
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
    Question question_;
    std::vector<Choice> choices_;
    Tried tried_;
    Evaluation evaluation_;
};

}  // namespace

base::Result<Evaluation> evaluate(const Matrix& matrix, const Host& host, const Request& request) { return Checker(matrix, host, request).run(); }

}  // namespace vmatrix::compat
