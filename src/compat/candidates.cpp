#include "compat/candidates.hpp"

#include <algorithm>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

bool any_comes_with(const Matrix& matrix, const std::string& name) {
    return std::ranges::any_of(matrix.of("build"), [&](const Fact* build) { return carried(*build, name); });
}

/// Whether other builds of the package come with something.
bool others_come_with(const Matrix& matrix, const Build& build, const std::string& name) {
    return std::ranges::any_of(matrix.of("build"), [&](const Fact* other) {
        const Fact* release = carried(*other, name) ? matrix.find("release", other->parent) : nullptr;
        return release && release->text("component") == build.package;
    });
}

/// Whether a wish is about something that builds of the package come with.
bool is_companion(const Question& question, const Candidate& candidate, const Spec& spec) {
    if (!candidate.build->fact || spec.name == candidate.component || spec.versions.empty() || is_runtime(spec) || question.packages.contains(spec.name)) return false;
    return carried(*candidate.build->fact, spec.name) || (candidate.leads && others_come_with(question.matrix, *candidate.build, spec.name));
}

/// Newest release first; within one, PyPI's build, then the newest runtime; previews and what pip has to compile last.
void order_builds(std::vector<Build>& builds) {
    const auto is_default = [](const Build& build) { return build.release->text("default-build") == build.label; };
    std::ranges::stable_sort(builds, [&](const Build& a, const Build& b) {
        if (a.version != b.version) return b.version < a.version;
        if (is_default(a) != is_default(b)) return is_default(a);
        if (a.compiled() != b.compiled()) return b.compiled();
        if (a.preview != b.preview) return b.preview;
        if (a.accelerator != b.accelerator || !a.runtime || !b.runtime) return false;
        return *b.runtime < *a.runtime;
    });
}

/// The packages with builds that a candidate needs.
std::vector<std::string> needed_packages(const Question& question, const Build& build) {
    std::vector<std::string> names;
    const Value* needs = build.fact ? build.fact->find("requires") : nullptr;
    for (const auto& [component, versions] : needs ? needs->members : std::vector<model::Entry>{})
        if (question.packages.contains(component)) names.push_back(component);
    return names;
}

/// Whether wheels of the same release are made for this platform: then it can be compiled there too.
bool others_serve(const Question& question, const Build& build) {
    return std::ranges::any_of(question.matrix.nested(*build.release), [&](const Fact* other) { return other != build.fact && lists(other->find("platforms"), question.host.platform); });
}

Candidate absence_of(const std::string& package) {
    Candidate candidate;
    candidate.component = package;
    return candidate;
}

Judgement compiled_here(const Build& build) {
    Judgement judgement;
    judgement.level = Level::workaround;
    judgement.reason = {"packaging", {build.package}, build.package + " " + build.version.str() + " has to be compiled on the host, which wants the compiler of " + std::string(build.accelerator == "rocm" ? "ROCm" : "CUDA") + " and time", {}, {}};
    cite(judgement.reason, *build.fact);
    return judgement;
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

/// Adds a package and those that builds of it need.
void add_with_needs(const Matrix& matrix, const Names& packages, const std::string& package, Names& names) {
    if (!packages.contains(package) || !names.insert(package).second) return;
    for (const Fact* build : matrix.of("build")) {
        const Fact* release = build->find("requires") ? matrix.find("release", build->parent) : nullptr;
        if (!release || release->text("component") != package) continue;
        for (const auto& [name, versions] : build->find("requires")->members) add_with_needs(matrix, packages, name, names);
    }
}

Names packages_with_builds(const Matrix& matrix) {
    Names packages;
    for (const Fact* release : matrix.of("release"))
        if (holds_builds(matrix, *release)) packages.emplace(release->text("component"));
    return packages;
}

/// Packages asked for that builds of others asked for, or of what these need, bring.
std::map<std::string, Brought> brought_by_others(const Matrix& matrix, const Names& packages, const Request& request) {
    std::map<std::string, Brought> all;
    for (const Spec& spec : request.specs)
        if (request.specs.size() > 1 && packages.contains(spec.name) && any_comes_with(matrix, spec.name)) all.emplace(spec.name, Brought{});
    Names asked;
    for (const Spec& spec : request.specs)
        if (!all.empty()) add_with_needs(matrix, packages, spec.name, asked);
    for (auto& [name, brought] : all)
        for (const Fact* build : matrix.of("build")) {
            const Value* own = carried(*build, name);
            const Fact* release = own ? matrix.find("release", build->parent) : nullptr;
            if (!release || !asked.contains(release->text("component"))) continue;
            brought.by.emplace(release->text("component"));
            brought.versions.insert(own->text);
        }
    std::erase_if(all, [](const auto& one) { return one.second.by.empty(); });
    return all;
}

bool any_has_runtime(const Matrix& matrix, const Names& names) {
    return !names.empty() && std::ranges::any_of(matrix.of("build"), [&](const Fact* build) {
        const auto accelerator = build->text("accelerator");
        const Fact* release = accelerator == "cuda" || accelerator == "rocm" ? matrix.find("release", build->parent) : nullptr;
        return release && names.contains(release->text("component"));
    });
}

/// "cuda==12.4" beside a framework means the runtime inside it; beside several that of the first.
std::optional<Judgement> judge_runtime_wish(const Question& question, const Candidate& candidate, const Spec& spec) {
    const Matrix& matrix = question.matrix;
    if (!candidate.build || !is_runtime(spec) || candidate.build->accelerator == "any" || !is_of_subject(question, candidate.component)) return std::nullopt;
    const auto& runtime = spec.name == "cuda" ? candidate.cuda : candidate.rocm;
    Judgement judgement;
    judgement.reason = {"packaging", {candidate.component, spec.name}, {}, {}, {}};
    if (candidate.build->fact) cite(judgement.reason, *candidate.build->fact);
    const auto set = read_versions(spec, Scheme::dotted);
    bool fits = runtime && set && set->contains(*runtime);
    if (const auto wanted = exact_version(spec, Scheme::dotted); wanted && runtime && !fits)
        fits = agree(*runtime, *wanted) || (need_of(candidate, spec.name) && set_holds(*candidate.build->fact, "requires", spec.name, *wanted));
    judgement.level = fits ? Level::supported : Level::broken;
    judgement.reason.text = candidate.build->title() + (runtime ? " is built on " + spec.name + " " + runtime->str() : " is no build for " + spec.name) + (fits || spec.versions.empty() ? "" : ", not " + spec.versions);
    if (!fits && runtime && candidate.build->release) {
        std::vector<std::string> others;
        for (const Fact* build : matrix.nested(*candidate.build->release))
            if (build->text("accelerator") == spec.name) others.emplace_back(build->text("build"));
        if (!others.empty()) judgement.reason.text = candidate.component + " " + candidate.build->version.str() + " has no build for " + spec.name + " " + spec.versions + ": its builds are " + listed(others);
    }
    return judgement;
}

Judgement not_known(const Build& build) {
    Judgement judgement;
    judgement.level = Level::unknown;
    judgement.reason = {"packaging", {build.package}, "the matrix does not know " + build.title(), {}, {}};
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
    judgement.reason.text += ", which " + candidate.build->title() + " carries: it works only where cuDNN is not used";
    return judgement;
}

/// What a build wants set while it is installed and runs.
Judgement set_for(const Build& build, const Value& variables) {
    Judgement judgement;
    judgement.reason = {"packaging", {build.package}, {}, {}, {}};
    for (const auto& [name, value] : variables.members) {
        judgement.reason.text += (judgement.reason.text.empty() ? build.title() + " wants " : " and ") + name + "=" + value.text;
        judgement.environment[name] = value.text;
    }
    cite(judgement.reason, *build.fact);
    return judgement;
}

/// A variable that one card needs holds for all of them.
void share_environment(const Question& question, const Build& build, std::vector<Judgement>& all) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
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

std::optional<Request> with_environment(const Request& request, const std::vector<const Candidate*>& candidates) {
    std::optional<Request> changed;
    for (const Candidate* candidate : candidates)
        for (const Judgement& judgement : candidate->judgements) {
            if (judgement.environment.empty()) continue;
            if (!changed) changed = request;
            for (const auto& [name, value] : judgement.environment) changed->environment[name] = value;
        }
    return changed;
}

/// Appends the judgements of a relation, those without a text left out.
void append(std::vector<Judgement>& all, const std::string& relation, std::vector<Judgement> more) {
    for (Judgement& judgement : more) {
        if (judgement.reason.text.empty() && !judgement.issue) continue;
        if (judgement.relation.empty()) judgement.relation = relation;
        all.push_back(std::move(judgement));
    }
}

Question::Question(const Matrix& of_matrix, const Host& of_host, const Request& asked) : matrix(of_matrix), host(of_host), request(asked) {
    packages = packages_with_builds(matrix);
    brought = brought_by_others(matrix, packages, request);
    around = parts_of_host(*this);
    for (const Spec& spec : request.specs) {
        if (request.specs.size() == 1 || any_has_runtime(matrix, subjects)) break;
        subjects.clear();
        add_with_needs(matrix, packages, spec.name, subjects);
    }
}

bool is_brought(const Question& question, const Candidate& candidate) {
    const auto found = question.brought.find(candidate.component);
    return found != question.brought.end() && candidate.build && found->second.versions.contains(candidate.build->version.str());
}

bool is_of_subject(const Question& question, const std::string& package) { return question.subjects.empty() || question.subjects.contains(package); }

std::string minor_of(const std::string& python) {
    const auto first = python.find('.');
    const auto second = first == std::string::npos ? first : python.find('.', first + 1);
    return python.substr(0, second);
}

bool is_runtime(const Spec& spec) { return spec.name == "cuda" || spec.name == "rocm"; }

const Spec* main_spec(const Matrix& matrix, const Request& request) {
    const auto first = [&](auto wanted) {
        const auto found = std::ranges::find_if(request.specs, wanted);
        return found == request.specs.end() ? nullptr : &*found;
    };
    const auto is_framework = [&](const Spec& spec) { return has_builds(matrix, spec.name); };
    const bool several = std::ranges::count_if(request.specs, is_framework) > 1;
    const auto brought = several ? brought_by_others(matrix, packages_with_builds(matrix), request) : std::map<std::string, Brought>{};
    if (const Spec* framework = first([&](const Spec& spec) { return is_framework(spec) && !brought.contains(spec.name); })) return framework;
    return request.of_framework ? nullptr : first(is_runtime);
}

std::vector<std::string> unjudged(const Matrix& matrix, const Request& request) {
    std::vector<std::string> lines;
    for (const Spec& spec : request.specs) {
        if (is_runtime(spec) || has_builds(matrix, spec.name)) continue;
        if (!matrix.find("component", spec.name)) lines.push_back("the matrix does not know " + spec.name + ": it is left to you");
        else if (!any_comes_with(matrix, spec.name)) lines.push_back("no rule of the matrix reads " + spec.name + " yet: it is left to you");
    }
    for (const auto* wishes : {&request.prefer, &request.exclude})
        for (const Spec& spec : *wishes)
            if (!matrix.find("component", spec.name) && spec.name != "python" && spec.name != "driver")
                lines.push_back("the matrix does not know " + spec.name + ": " + (wishes == &request.prefer ? "to prefer it" : "to exclude it") + " changes nothing");
    return lines;
}

void worst_first(std::vector<Judgement>& judgements) {
    std::ranges::stable_sort(judgements, {}, [](const Judgement& judgement) { return std::pair(!judgement.decides, judgement.level); });
}

Level worst(const std::vector<Judgement>& judgements) {
    Level level = Level::supported;
    for (const Judgement& judgement : judgements) {
        if (judgement.decides) return judgement.level;
        level = std::min(level, judgement.level);
    }
    return level;
}

namespace {

void judge(const Question& question, Candidate& candidate) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    auto& all = candidate.judgements;
    const auto add = [&](std::string relation, Judgement judgement) {
        judgement.relation = std::move(relation);
        all.push_back(std::move(judgement));
    };
    if (candidate.build) {
        const Build& build = *candidate.build;
        if (!build.fact) add("release", not_known(build));
        for (std::size_t i = 0; i < host.cards.size(); ++i) {
            const bool processor = asks_for_processor(request, build);
            if (request.image && !processor) add("image on card " + std::to_string(i), judge_image_maker(host.image, *request.image, host.cards[i]));
            add("architecture of card " + std::to_string(i), processor ? on_processor(build) : judge_architecture(matrix, host, request.environment, build, host.cards[i]));
        }
        share_environment(question, build, all);
        if (const Value* variables = build.fact ? build.fact->find("environment") : nullptr) add("environment of the build", set_for(build, *variables));
        const bool pure = (build.compiled() && others_serve(question, build)) || (build.accelerator == "any" && build.fact && !build.fact->find("platforms"));   // no wheel, or one for every system
        if (build.fact && !pure) add("platform", judge_platform(host, build));
        if (build.fact && !pure) add("libc", judge_libc(matrix, host, build));
        if (request.image) add("image", judge_image_build(host, *request.image, build));
        if (request.image) add("image on the system", judge_image_system(matrix, host, *request.image));
        if (request.image) add("image in its registry", judge_image_there(matrix, host, *request.image));
        if (build.compiled()) add("compiled", compiled_here(build));
        for (const Spec& spec : request.specs) {
            if (auto wish = candidate.leads ? judge_runtime_wish(question, candidate, spec) : std::nullopt) add("wish for " + spec.name, std::move(*wish));
            else if (is_companion(question, candidate, spec)) add("companion " + spec.name, judge_companion(matrix, build, spec));
        }
    }
    const AllParts all_parts{&around, &candidate.parts};
    for (const auto& [component, version] : around) add("need of " + component, judge_need(candidate, component, version));
    append(all, "rule", judge_package_rules(host.package_rules, all_parts, {&candidate.parts}));
    const auto changed = with_environment(request, {&candidate});
    append(all, "issue", judge_issues(host.issues, changed ? *changed : request, all_parts, {&candidate.parts}));
    if (!candidate.leads || (candidate.build && asks_for_processor(request, *candidate.build))) return;   // the rest is about the runtime
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

/// What follows from a build or release, and what the rules say of it.
void complete(const Question& question, Candidate& candidate) {
    if (const auto& runtime = candidate.cuda ? candidate.cuda : candidate.rocm) candidate.runtime_minor = cut(*runtime, *dotted("0.0")).canonical();
    candidate.parts = parts_of(question, candidate);
    judge(question, candidate);
    if (is_brought(question, candidate)) std::erase_if(candidate.judgements, [](const Judgement& judgement) { return judgement.level == Level::unknown && !judgement.issue; });
}

}  // namespace

Candidate make_candidate(const Question& question, Build build) {
    Candidate candidate;
    candidate.component = build.package;
    candidate.version = build.text();
    candidate.preview = build.preview;
    if (const auto found = question.brought.find(build.package); found != question.brought.end()) candidate.brought_by = found->second.by;
    candidate.leads = needed_packages(question, build).empty();
    if (build.accelerator == "cuda") candidate.cuda = build.runtime;
    if (build.accelerator == "rocm") candidate.rocm = build.runtime;
    candidate.build = std::move(build);
    complete(question, candidate);
    candidate.needs_jit = std::ranges::any_of(candidate.judgements, &Judgement::by_ptx);
    return candidate;
}

Candidate make_candidate(const Question& question, const std::string& component, const Version& version) {
    Candidate candidate;
    candidate.component = component;
    candidate.version = version.str();
    (component == "cuda" ? candidate.cuda : candidate.rocm) = version;
    complete(question, candidate);
    return candidate;
}

std::string turns_on(const Question& question) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    std::string text = host.platform + "\n" + host.os_name + "\n" + host.user_space + "\n" + request.image.value_or("-") + "\n" + request.kernel.value_or("-") + (host.wsl ? "\nwsl" : "");
    for (const Card& card : host.cards) text += "\ncard " + card.name;
    for (const auto& [name, value] : request.environment) text += "\n" + name + "=" + value;
    if (std::ranges::any_of(request.specs, is_runtime))
        for (const std::string& subject : subjects) text += "\nof " + subject;
    for (const Spec& spec : request.specs) {
        const auto label = spec.versions.find('+');
        const bool processor = label != std::string::npos && !runtime_of_label(spec.versions.substr(label + 1));
        if (processor || !packages.contains(spec.name)) text += "\n" + spec.name + spec.versions;
        else if (any_comes_with(matrix, spec.name)) text += "\n" + spec.name;   // it replaces what others carry
    }
    for (const auto& [name, own] : question.brought) {
        text += "\nbrought " + name + " by";
        for (const std::string& package : own.by) text += " " + package;
    }
    return text;
}

std::vector<Candidate> all_candidates(const Question& question, const std::string& package, const std::string& on, Judged& judged) {
    const auto [known, fresh] = judged.candidates.try_emplace(package + "\n" + on);
    std::vector<Candidate>& candidates = known->second;
    auto builds = fresh ? find_builds(question.matrix, {package, package, {}}, question.host, false) : base::fail("");
    if (!builds) return candidates;
    order_builds(*builds);
    for (Build& build : *builds) candidates.push_back(make_candidate(question, std::move(build)));
    return candidates;
}

void add_needed(const Question& question, std::vector<Choice>& choices, const std::string& on, Judged& judged) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
        std::vector<std::string> names;
        for (const Candidate& candidate : choices[i].candidates)
            if (candidate.build)
                for (std::string& name : needed_packages(question, *candidate.build))
                    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        for (const std::string& name : names) {
            if (std::ranges::any_of(choices, [&](const Choice& choice) { return choice.wish.name == name; })) continue;
            Choice needed{{name, name, {}}, true, all_candidates(question, name, on, judged)};
            needed.candidates.insert(needed.candidates.begin(), absence_of(name));
            choices.push_back(std::move(needed));
        }
    }
}

}  // namespace vmatrix::compat
