#include "compat/evaluate.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

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
        if (host_.driver) add(of_driver(matrix_, host_, request_, *host_.driver));
        else if (request_.image) add(judge_image_start(matrix_, host_, *request_.image, std::nullopt));
        bool stack = false, framework = false;
        for (const Spec& spec : request_.specs) {
            if (!has_builds(matrix_, spec.name) || is_in_image(spec)) continue;
            framework = true;
            if (auto done = framework_spec(spec); !done) return tl::make_unexpected(done.error());
        }
        for (const Spec& spec : request_.specs) {
            stack = stack || framework || is_runtime(spec);
            if (framework && is_runtime(spec)) continue;   // judged with the framework
            if (auto done = other_spec(spec, framework); !done) return tl::make_unexpected(done.error());
        }
        if (!stack) add(judge_modules(host_));
        if (request_.image) add(judge_image_system(host_, *request_.image));
        if (request_.image)
            for (const Card& card : host_.cards) {
                if (!stack) add(judge_image_content(matrix_, host_, request_.environment, host_.image, *request_.image, card));
                else if (Judgement maker = judge_image_maker(host_.image, *request_.image, card); maker.level == Level::broken) add(std::move(maker));
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

    /// A bare name beside an image that holds the package means that one.
    [[nodiscard]] bool is_in_image(const Spec& spec) const { return spec.versions.empty() && host_.image && host_.image->find("bundles", spec.name); }

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
        if (const Value* inside = host_.image ? host_.image->find("bundles", spec.name) : nullptr; inside && !image_holds(*host_.image, *chosen))
            evaluation_.assumptions.push_back(chosen->title() + " is installed in place of " + inside->text + ", which the image holds");
        if (chosen->assumed_default) evaluation_.assumptions.push_back(spec.text + " means " + chosen->title() + ", the build on PyPI for " + host_.platform);
        else if (builds->size() > 1) evaluation_.assumptions.push_back(spec.text + " is judged by " + chosen->title() + ", the best of " + std::to_string(builds->size()) + " builds");
        if (!host_.driver && chosen->accelerator == "cuda" && chosen->runtime)
            if (const Fact* floor = cuda_floor(matrix_, host_, *chosen->runtime))
                evaluation_.assumptions.push_back("the driver is " + floor->find("requires", host_.driver_component)->text + ", as " + floor->id + " asks" + drivers_of_cards());
        return {};
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
        if (has_builds(matrix_, spec.name)) return {};   // judged already, or with the image
        if (!is_runtime(spec)) {
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
    Evaluation evaluation_;
};

}  // namespace

base::Result<Evaluation> evaluate(const Matrix& matrix, const Host& host, const Request& request) { return Checker(matrix, host, request).run(); }

}  // namespace vmatrix::compat
