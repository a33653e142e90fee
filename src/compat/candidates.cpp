#include "compat/candidates.hpp"

#include <algorithm>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

bool comes_with(const Fact& build, const std::string& name) { return build.find("companions", name) || build.find("bundles", name); }

bool any_comes_with(const Matrix& matrix, const std::string& name) {
    return std::ranges::any_of(matrix.of("build"), [&](const Fact* build) { return comes_with(*build, name); });
}

/// Whether a wish is about something that builds come with.
bool is_companion(const Matrix& matrix, const Candidate& candidate, const Spec& spec) {
    if (!candidate.build->fact || spec.name == candidate.component || spec.versions.empty()) return false;
    return comes_with(*candidate.build->fact, spec.name) || any_comes_with(matrix, spec.name);
}

/// Nothing falls back to the processor unasked: "torch==2.9.1+cpu" asks.
bool asks_for_processor(const Request& request, const Build& build) {
    return build.accelerator == "cpu" && std::ranges::any_of(request.specs, [&](const Spec& spec) { return spec.name == build.package && spec.versions.ends_with("+" + build.label); });
}

Judgement on_processor(const Build& build) {
    Judgement judgement;
    judgement.level = Level::expected;
    judgement.reason = {"framework", {build.package}, build.title() + " runs on the processor, as was asked, and leaves the card alone", {}, {}};
    if (build.fact) cite(judgement.reason, *build.fact);
    return judgement;
}

/// "cuda==12.4" beside a framework means the runtime inside it.
std::optional<Judgement> judge_runtime_wish(const Matrix& matrix, const Candidate& candidate, const Spec& spec) {
    if (!candidate.build || !is_runtime(spec)) return std::nullopt;
    const auto& runtime = spec.name == "cuda" ? candidate.cuda : candidate.rocm;
    Judgement judgement;
    judgement.reason = {"packaging", {candidate.component, spec.name}, {}, {}, {}};
    if (candidate.build->fact) cite(judgement.reason, *candidate.build->fact);
    const auto set = read_versions(spec, Scheme::dotted);
    bool fits = runtime && set && set->contains(*runtime);
    if (const auto wanted = exact_version(spec, Scheme::dotted); wanted && runtime && !fits)
        fits = agree(*runtime, *wanted);
    judgement.level = fits ? Level::supported : Level::broken;
    judgement.reason.text = candidate.build->title() + (runtime ? " is built on " + spec.name + " " + runtime->str() : " is no build for " + spec.name) + (fits ? "" : ", not " + spec.versions);
    if (!fits && runtime && candidate.build->release) {
        std::vector<std::string> others;
        for (const Fact* build : matrix.nested(*candidate.build->release))
            if (build->text("accelerator") == spec.name) others.emplace_back(build->text("build"));
        if (!others.empty()) judgement.reason.text = candidate.component + " " + candidate.build->version.str() + " has no build for " + spec.name + " " + spec.versions + ": its builds are " + listed(others);
    }
    return judgement;
}

Judgement nvidia_driver(const Host& host, const Candidate& candidate, const Version& driver) {
    Judgement judgement;
    judgement.level = Level::broken;
    judgement.reason = {"driver", {"driver", "rocm"}, "driver " + driver.str() + " is one of NVIDIA, " + candidate.component + " " + candidate.version + " runs on AMD's", {}, {}};
    cite(judgement.reason, *branch_of(host, driver));
    return judgement;
}

/// The cuDNN that a build for NVIDIA's cards carries.
const Value* cudnn_of(const Candidate& candidate) {
    return candidate.build && candidate.build->fact && candidate.cuda ? candidate.build->fact->find("bundles", "cudnn") : nullptr;
}

/// Only a firm no counts: the framework runs without cuDNN, slower, and fails where it needs it.
Judgement judge_cudnn(const Matrix& matrix, const Candidate& candidate, const Value& cudnn, const Card& card) {
    const auto version = dotted(cudnn.text);
    if (!version || card.vendor != "nvidia") return {};
    Judgement judgement = judge_targets(matrix, "cudnn", {{"cudnn", *version}, {"cuda", *candidate.cuda}}, card);
    if (judgement.level != Level::broken) return {};
    judgement.level = Level::workaround;
    judgement.reason.text += ", which " + candidate.build->title() + " carries: it works only without cuDNN, by torch.backends.cudnn.enabled = False";
    return judgement;
}

/// A variable that one card needs holds for all of them.
void share_environment(const Matrix& matrix, const Host& host, const Request& request, const Build& build, std::vector<Judgement>& all) {
    auto environment = request.environment;
    for (const Judgement& judgement : all) environment.insert(judgement.environment.begin(), judgement.environment.end());
    if (host.cards.size() < 2 || environment == request.environment) return;
    for (std::size_t i = 0; i < host.cards.size(); ++i) {
        std::string relation = std::move(all[i].relation);
        all[i] = judge_architecture(matrix, host, environment, build, host.cards[i]);
        all[i].relation = std::move(relation);
        all[i].advice.clear();   // nothing is set yet that could be unset
    }
}

}  // namespace

std::string minor_of(const std::string& python) {
    const auto first = python.find('.');
    const auto second = first == std::string::npos ? first : python.find('.', first + 1);
    return python.substr(0, second);
}

std::vector<Judgement> of_driver(const Matrix& matrix, const Host& host, const Request& request, const Version& driver) {
    std::vector<Judgement> all;
    const auto add = [&](std::string relation, Judgement judgement) {
        judgement.relation = std::move(relation);
        all.push_back(std::move(judgement));
    };
    for (std::size_t i = 0; i < host.cards.size(); ++i) add("driver of card " + std::to_string(i), judge_card_driver(host, host.cards[i], driver));
    if (host.kernel && host.driver_component == "amdgpu-dkms" && !host.wsl) add("driver on the kernel", judge_module(matrix, host.driver_component, driver, *host.kernel));
    if (request.image) add("start of the image", judge_image_start(matrix, host, *request.image, driver));
    return all;
}

bool is_runtime(const Spec& spec) { return spec.name == "cuda" || spec.name == "rocm"; }

const Spec* main_spec(const Matrix& matrix, const Request& request) {
    const auto first = [&](auto wanted) {
        const auto found = std::ranges::find_if(request.specs, wanted);
        return found == request.specs.end() ? nullptr : &*found;
    };
    if (const Spec* framework = first([&](const Spec& spec) { return has_builds(matrix, spec.name); })) return framework;
    return request.of_framework ? nullptr : first(is_runtime);
}

std::vector<std::string> unjudged(const Matrix& matrix, const Request& request) {
    std::vector<std::string> lines;
    for (const Spec& spec : request.specs) {
        if (is_runtime(spec) || has_builds(matrix, spec.name)) continue;
        if (!matrix.find("component", spec.name)) lines.push_back("the matrix does not know " + spec.name + ": it is passed on as it is");
        else if (!any_comes_with(matrix, spec.name)) lines.push_back("no rule of the matrix reads " + spec.name + " yet: it is passed on as it is");
    }
    return lines;
}

Level worst(const std::vector<Judgement>& judgements) {
    Level level = Level::supported;
    for (const Judgement& judgement : judgements) level = std::min(level, judgement.level);
    return level;
}

void judge(const Matrix& matrix, const Host& host, const Request& request, Candidate& candidate) {
    auto& all = candidate.judgements;
    const auto add = [&](std::string relation, Judgement judgement) {
        judgement.relation = std::move(relation);
        all.push_back(std::move(judgement));
    };
    if (candidate.build) {
        const Build& build = *candidate.build;
        for (std::size_t i = 0; i < host.cards.size(); ++i) {
            const bool processor = asks_for_processor(request, build);
            add("architecture of card " + std::to_string(i), processor ? on_processor(build) : judge_architecture(matrix, host, request.environment, build, host.cards[i]));
        }
        share_environment(matrix, host, request, build, all);
        if (build.fact) add("platform", judge_platform(host, build));
        if (build.fact) add("libc", judge_libc(matrix, host, build));
        if (request.image) add("image", judge_image_build(host, *request.image, build));
        if (request.image) add("image on the system", judge_image_system(host, *request.image));
        for (const Spec& spec : request.specs) {
            if (auto wish = judge_runtime_wish(matrix, candidate, spec)) add("wish for " + spec.name, std::move(*wish));
            else if (is_companion(matrix, candidate, spec)) add("companion " + spec.name, judge_companion(matrix, build, spec));
        }
    }
    if (host.cards.size() > 1) add("kernel modules", judge_modules(host));
    if (candidate.rocm && host.vendor != "nvidia") add("system", judge_rocm_system(matrix, host, *candidate.rocm));
    for (std::size_t i = 0; i < host.cards.size(); ++i) {
        const Card& card = host.cards[i];
        if (candidate.rocm && !candidate.build && card.vendor == "amd") add("override of card " + std::to_string(i), judge_override(matrix, host, request.environment, card));
        const bool runs = candidate.build && all[i].level > Level::broken;
        if (const Value* cudnn = runs ? cudnn_of(candidate) : nullptr) add("cuDNN of card " + std::to_string(i), judge_cudnn(matrix, candidate, *cudnn, card));
        const std::string relation = "support of card " + std::to_string(i);
        if (candidate.rocm && card.vendor == "amd") {
            Judgement listing = judge_rocm_card(matrix, host, *candidate.rocm, card);
            // What a wheel has code for and what AMD lists are two facts: the list never forbids a build, it only vouches for it.
            if (candidate.build) listing.level = std::max(listing.level, Level::expected);
            if (!candidate.build || listing.level == Level::supported || all[i].level > Level::workaround) add(relation, std::move(listing));
        } else if (candidate.cuda && !candidate.build && card.vendor == "nvidia") {
            add(relation, judge_toolkit(matrix, *candidate.cuda, card));
            if (card.embedded) add("JetPack of card " + std::to_string(i), judge_jetpack(matrix, *candidate.cuda, card));
        } else if (!candidate.build) {
            Judgement wrong;
            wrong.level = Level::broken;
            wrong.reason = {"hardware", {candidate.component, "gpu"}, candidate.component + " does not run on " + card.title(), {}, {}};
            cite(wrong.reason, *card.architecture);
            add(relation, std::move(wrong));
        }
    }
}

Candidate make_candidate(const Matrix& matrix, const Host& host, const Request& request, Build build) {
    Candidate candidate;
    candidate.component = build.package;
    candidate.version = build.text();
    candidate.preview = build.preview;
    if (build.accelerator == "cuda") candidate.cuda = build.runtime;
    if (build.accelerator == "rocm") candidate.rocm = build.runtime;
    candidate.build = std::move(build);
    judge(matrix, host, request, candidate);
    candidate.needs_jit = std::ranges::any_of(candidate.judgements, &Judgement::by_ptx);
    return candidate;
}

Candidate make_candidate(const Matrix& matrix, const Host& host, const Request& request, const std::string& component, const Version& version) {
    Candidate candidate;
    candidate.component = component;
    candidate.version = version.str();
    (component == "cuda" ? candidate.cuda : candidate.rocm) = version;
    judge(matrix, host, request, candidate);
    return candidate;
}

Judgement with_python(const Host& host, const Candidate& candidate, const std::string& python) {
    if (!candidate.build || !candidate.build->fact || python == no_python) return {};
    return judge_python(host, *candidate.build, minor_of(python));
}

Judgement with_driver(const Matrix& matrix, const Host& host, const Candidate& candidate, const Version& driver) {
    if (candidate.cuda && host.vendor != "amd") return judge_cuda_driver(matrix, host, *candidate.cuda, driver, candidate.needs_jit);
    // Without a card the driver is taken for the one of the build's vendor.
    if (candidate.rocm && host.vendor.empty() && branch_of(host, driver)) return nvidia_driver(host, candidate, driver);
    if (candidate.rocm && (host.driver_component == "amdgpu-dkms" || (host.vendor.empty() && !host.windows_driver))) return judge_rocm_driver(matrix, *candidate.rocm, driver);
    return {};
}

}  // namespace vmatrix::compat
