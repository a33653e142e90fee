#include "app/card_rows.hpp"

#include <algorithm>
#include <array>

#include "app/known_bad.hpp"
#include "base/text.hpp"
#include "compat/resolve.hpp"

namespace vmatrix::app {
namespace {

using compat::Level;
using model::Fact;
using model::Matrix;

/// Markets in which people buy cards: the others are soldered to something.
constexpr std::array<std::string_view, 3> markets{"consumer", "workstation", "datacenter"};

bool is_owned(const Fact& gpu) { return std::ranges::find(markets, gpu.text("class")) != markets.end(); }

// ---- Which rows

/// The architectures with cards that people own, those of the newest generation first: generations stand oldest first.
std::vector<std::string> owned_architectures(const Matrix& matrix) {
    std::vector<const Fact*> found;
    for (const Fact* architecture : matrix.of("architecture"))
        if (std::ranges::any_of(matrix.of("gpu"), [&](const Fact* gpu) { return is_owned(*gpu) && gpu->text("architecture") == architecture->id; })) found.push_back(architecture);
    const auto& generations = matrix.of("generation");
    const auto place = [&](const Fact* architecture) {
        const auto at = std::ranges::find(generations, architecture->text("generation"), &Fact::id);
        return at == generations.end() ? -1 : at - generations.begin();
    };
    std::ranges::stable_sort(found, std::ranges::greater(), place);
    std::vector<std::string> ids;
    for (const Fact* architecture : found) ids.push_back(architecture->id);
    return ids;
}

// ---- Names of cards

/// In GiB, the most of the sizes that a name covers.
std::optional<compat::Version> memory(const Fact* gpu) {
    std::optional<compat::Version> most;
    for (const auto size : gpu->texts("memory-gib")) most = std::max(most, compat::dotted(size));
    return most;
}

/// The largest of each market in turn, as those are what people know, then the next largest; the market with most models leads.
std::vector<std::string> card_names(const compat::Card& card) {
    std::array<std::vector<const Fact*>, markets.size()> by_market;
    for (std::size_t m = 0; m < markets.size(); ++m) {
        std::ranges::copy_if(card.gpus, std::back_inserter(by_market[m]), [&](const Fact* gpu) { return gpu->text("class") == markets[m]; });
        std::ranges::stable_sort(by_market[m], [](const Fact* a, const Fact* b) { return memory(b) < memory(a); });
    }
    std::ranges::stable_sort(by_market, std::ranges::greater(), &std::vector<const Fact*>::size);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < by_market.front().size(); ++i)
        for (const auto& market : by_market)
            if (i < market.size()) names.emplace_back(market[i]->text("name"));
    return names;
}

/// All that a name means, each once; those that nobody buys by themselves come behind, names that other architectures share last.
std::vector<std::string> names_of(const Matrix& matrix, const compat::Card& card) {
    std::vector<std::string> all = card_names(card), names;
    for (const Fact* gpu : card.gpus)
        if (!is_owned(*gpu)) all.emplace_back(gpu->text("name"));
    for (std::string& name : all)
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    const auto is_own = [&](const std::string& name) {
        return std::ranges::none_of(matrix.of("gpu"), [&](const Fact* gpu) { return gpu->text("name") == name && gpu->text("architecture") != card.architecture->id; });
    };
    std::ranges::stable_partition(names, is_own);
    return names.empty() ? std::vector{card.name} : names;
}

// ---- One row

void fill_build(const compat::Stack& stack, CardRow& row) {
    const compat::Build& build = stack.builds.front();
    row.build = build.text();
    if (build.runtime) {
        row.runtime = build.accelerator;
        row.runtime_version = build.runtime->str();
    }
    if (!build.fact) return;
    for (const auto python : build.fact->texts("python")) row.pythons.emplace_back(python);
    row.citations.add(*build.fact);
}

void fill_image(const compat::Stack& stack, CardRow& row) {
    row.image = stack.image_name;
    if (!stack.image) return;
    row.citations.add(*stack.image);
    std::vector<std::string> others;
    for (const std::string& name : {stack.builds.front().package, row.runtime}) {
        const model::Value* inside = stack.image->find("bundles", name);
        const auto own = stack.components.find(name);
        if (inside && own != stack.components.end() && !own->second.starts_with(inside->text)) others.push_back(name + " " + inside->text);
    }
    row.image_holds = base::join(others, ", ");
}

/// "2.7.1+cu118"
std::string version_of(const Matrix& matrix, const Fact& build) {
    const Fact* release = matrix.find("release", build.parent);
    return release ? std::string(release->text("version")) + "+" + std::string(build.text("build")) : std::string();
}

/// What ended for the card, by the facts that the resolver names.
void fill_limits(const Matrix& matrix, const std::vector<compat::Reason>& limits, CardRow& row) {
    for (const compat::Reason& limit : limits) {
        for (const std::string& id : limit.facts) {
            if (const Fact* branch = matrix.find("driver-branch", id)) row.last_branch = branch->text("branch");
            if (const Fact* build = matrix.find("build", id)) row.last_release = version_of(matrix, *build);
        }
        row.citations.add(limit);
    }
}

void fill_other_builds(const std::vector<JudgedBuild>& builds, const compat::Stack& stack, const std::string& platform, CardRow& row) {
    for (const auto& [build, level, why] : builds) {
        if (build.version != stack.builds.front().version || build.label == stack.builds.front().label || level < Level::expected || build.preview || !build.installable(platform)) continue;
        row.other_builds.push_back(build.label);
        row.citations.add(*build.fact);
    }
}

void fill_stack(const Matrix& matrix, const compat::Host& host, const compat::Stack& stack, CardRow& row) {
    row.level = stack.level;
    fill_build(stack, row);
    fill_image(stack, row);
    for (const compat::Reason& reason : stack.reasons) row.citations.add(reason);
    row.least_drivers = least_drivers(matrix, host, stack, row.citations);
}

void add_known_bad(std::vector<std::string> texts, CardRow& row) { std::ranges::move(texts, std::back_inserter(row.known_bad)); }

void fill_builds(const Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer, const std::string& package, CardRow& row) {
    const auto builds = judge_builds(matrix, host, package);
    if (!answer.stacks.empty()) fill_other_builds(builds, answer.stacks.front(), host.platform, row);
    add_known_bad(bad_builds(builds, row.citations), row);
    if (answer.conflict.empty() || !row.known_bad.empty()) return;
    row.known_bad.push_back(answer.conflict.front().text);
    row.citations.add(answer.conflict.front());
}

base::Result<CardRow> make_row(const Matrix& matrix, const compat::Host& host, const compat::Request& request) {
    const auto answer = compat::resolve(matrix, host, request, 0);
    if (!answer) return tl::make_unexpected(answer.error());
    const compat::Card& card = host.cards.front();
    CardRow row;
    row.cards = names_of(matrix, card);
    row.architecture = card.architecture->id;
    row.title = card.title();
    const Fact* vendor = matrix.find("vendor", card.vendor);
    row.vendor = vendor ? vendor->text("title") : card.vendor;
    row.platform = host.platform;
    row.driver_component = host.driver_component;
    fill_limits(matrix, answer->limits, row);
    if (!answer->stacks.empty()) fill_stack(matrix, host, answer->stacks.front(), row);
    fill_builds(matrix, host, *answer, request.specs.front().name, row);
    add_known_bad(bad_overrides(matrix, card, row.citations), row);
    add_known_bad(known_issues(matrix, request.specs.front().name, card, row.citations), row);
    return row;
}

base::Result<void> add_rows(const Matrix& matrix, compat::Request& request, const std::string& gpu, std::vector<CardRow>& rows) {
    request.gpus = {gpu};
    const auto hosts = compat::read_hosts(matrix, request);
    if (!hosts) return tl::make_unexpected(hosts.error());
    for (const compat::Host& host : *hosts) {
        auto row = make_row(matrix, host, request);
        if (!row) return tl::make_unexpected(row.error());
        rows.push_back(std::move(*row));
    }
    return {};
}

}  // namespace

base::Result<std::vector<CardRow>> card_rows(const Matrix& matrix, const std::vector<std::string>& gpus, const std::string& package) {
    if (!compat::has_builds(matrix, package))
        return base::fail("the matrix has no builds of `" + base::printable(package) + "`", "`vmatrix matrix list builds` shows those that it has", base::ErrorKind::usage);
    compat::Request request;
    request.specs.push_back({package, package, {}});
    std::vector<CardRow> rows;
    for (const std::string& gpu : gpus.empty() ? owned_architectures(matrix) : gpus)
        if (auto added = add_rows(matrix, request, gpu, rows); !added) return tl::make_unexpected(added.error());
    return rows;
}

}  // namespace vmatrix::app
