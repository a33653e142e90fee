#include "compat/host.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

tl::unexpected<base::Error> usage(std::string message, std::string hint = {}) { return base::fail(std::move(message), std::move(hint), base::ErrorKind::usage); }

Card make_card(const Matrix& matrix, const std::string& name, const Fact& architecture) {
    Card card;
    card.name = name;
    card.architecture = &architecture;
    card.vendor = architecture.text("vendor");
    card.generation = matrix.find("generation", architecture.text("generation"));
    card.embedded = architecture.text("embedded") == "true";
    card.capability = dotted(architecture.text("compute-capability"));
    return card;
}

/// The cards that a name may mean, one for each architecture.
base::Result<std::vector<Card>> read_cards(const Matrix& matrix, const std::string& name) {
    const auto match = model::find_gpus(matrix, name);
    std::vector<Card> cards;
    for (const auto id : match.architectures) {
        const Fact* architecture = matrix.find("architecture", id);
        if (!architecture) continue;
        Card card = make_card(matrix, name, *architecture);
        for (const Fact* gpu : match.gpus)
            if (gpu->text("architecture") == id) card.gpus.push_back(gpu);
        cards.push_back(std::move(card));
    }
    if (const Fact* architecture = cards.empty() ? matrix.find("architecture", base::lower(name)) : nullptr) {
        const auto covered = texts(architecture->find("covers"));   // sm_90a is what is built for sm_90
        if (covered.size() > 1) return usage("`" + architecture->id + "` is a target for several architectures", "name the one of the card: " + listed(covered));
        if (!covered.empty()) return read_cards(matrix, covered.front());
        cards.push_back(make_card(matrix, name, *architecture));
    }
    if (cards.empty() && model::is_broken_pci_id(matrix, name)) return usage("`" + base::printable(name) + "` is no PCI id", std::string(model::pci_id_forms));
    if (cards.empty()) return usage("no GPU is named `" + base::printable(name) + "`", match.suggestions.empty() ? "`vmatrix matrix list gpus` shows them" : base::did_you_mean(match.suggestions));
    return cards;
}

base::Result<std::optional<Version>> read_version(const std::optional<std::string>& text, const char* what, const char* example) {
    if (!text) return std::nullopt;
    auto version = Version::parse(Scheme::dotted, *text);
    if (!version) return usage(std::string("--") + what + ": " + version.error().message, version.error().hint.empty() ? example : version.error().hint);
    return std::move(*version);
}

std::string machine_of(const std::vector<Card>& cards) {
    for (const Card& card : cards)
        if (card.embedded || (!card.gpus.empty() && std::ranges::all_of(card.gpus, [](const Fact* gpu) { return gpu->text("machine") == "linux-aarch64"; }))) return "aarch64";
    return "x86_64";
}

/// The os-release fact of "ubuntu:24.04".
const Fact* find_os(const Matrix& matrix, const std::string& text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos) return nullptr;
    return matrix.find("os-release", text.substr(0, colon) + "-" + text.substr(colon + 1));
}

bool is_python(const std::string& text) {
    const auto dot = text.find('.');
    const auto digits = [](std::string_view part) { return !part.empty() && part.find_first_not_of("0123456789.t") == std::string_view::npos; };
    return dot != std::string::npos && digits(text.substr(0, dot)) && digits(text.substr(dot + 1)) && dotted(text.substr(0, text.find('t'))).has_value();
}

/// Branches of a driver component, oldest first.
std::vector<Branch> branches_of(const Matrix& matrix, std::string_view component) {
    std::vector<Branch> branches;
    for (const Fact* fact : matrix.of("driver-branch")) {
        if (fact->text("component") != component) continue;
        if (auto number = dotted(fact->text("branch"))) branches.push_back({std::move(*number), fact});
    }
    std::ranges::sort(branches, {}, &Branch::number);
    return branches;
}

/// Drivers count slowly: a number that is hundreds of times that of the newest branch is a slip of the keyboard.
base::Result<void> check_driver_number(const Host& host) {
    if (!host.driver || host.branches.empty()) return {};
    const auto digits = [](const std::string& version) { return std::min(version.find_first_not_of("0123456789"), version.size()); };
    const std::string& newest = host.branches.back().number.str();
    if (digits(host.driver->str()) <= digits(newest) + 1) return {};
    return usage("--driver " + base::printable(host.driver->str()) + " is no driver: the newest branch that the matrix knows is " + newest, "give the version that the driver itself shows, or leave it out where it is not known");
}

/// "580" names a branch: the newest of it that the matrix knows is meant.
void complete_driver(Host& host) {
    if (!host.driver || host.driver->str().find('.') != std::string::npos) return;
    const auto branch = std::ranges::find(host.branches, *host.driver, &Branch::number);
    auto latest = branch == host.branches.end() ? std::nullopt : dotted(branch->fact->text("latest"));
    if (!latest) return;
    host.assumptions.push_back("driver " + host.driver->str() + " is taken for " + latest->str() + ", the newest that the matrix knows of this branch");
    host.driver = std::move(latest);
}

/// The other maker's numbers are taken for a slip: the lowest branch of NVIDIA's is far above all of AMD's.
base::Result<void> check_driver_maker(const Matrix& matrix, const Host& host) {
    if (!host.driver) return {};
    const auto nvidia = branches_of(matrix, "nvidia");
    const bool nvidias = !nvidia.empty() && nvidia.front().number <= *host.driver;
    const auto wrong = [&](const char* maker, const char* own) {
        return usage("--driver " + host.driver->str() + " is a driver of " + maker + ", the card is one of " + own, "give the driver of this card, or leave it out where it is not known");
    };
    if (host.vendor == "amd" && nvidias) return wrong("NVIDIA", "AMD");
    if (host.vendor != "nvidia" || nvidias) return {};
    for (const Fact* line : matrix.of("driver-kernel"))
        if (line->text("component") == "amdgpu-dkms" && dotted(line->text("driver")) == host.driver) return wrong("AMD", "NVIDIA");
    return {};
}

/// "pytorch" is what people say, no package that pip has. Versions that cannot be read are told, whatever would read them.
base::Result<void> check_specs(const Matrix& matrix, const Request& request) {
    for (const Spec& spec : request.specs) {
        for (const Fact* component : matrix.of("component"))
            if (lists(component->find("aliases"), spec.name)) return usage("no package is named `" + base::printable(spec.name) + "`", "did you mean `" + component->id + spec.versions + "`?");
        if (const auto set = read_versions(spec, matrix.scheme(spec.name).value_or(Scheme::pep440)); !set) return tl::make_unexpected(set.error());
    }
    return {};
}

/// Whether a fact names a variable of the environment, with whatever value.
bool reads_variable(const Matrix& matrix, const std::string& name) {
    const auto is_it = [&](std::string_view written) { return written.substr(0, written.find('=')) == name; };
    const auto names_it = [&](const Value* value) {
        return value && (std::ranges::any_of(value->items, [&](const Value& item) { return is_it(item.text); }) || std::ranges::any_of(value->members, is_it, &model::Entry::name));
    };
    return std::ranges::any_of(matrix.facts(), [&](const Fact& fact) { return names_it(fact.find("environment")) || names_it(fact.find("not-environment")) || fact.text("visible-devices") == name; });
}

/// Whether something that the matrix knows of these cards turns on this kernel.
bool reads_kernel(const Matrix& matrix, const Host& host) {
    if (host.wsl || host.vendor != "nvidia" || std::ranges::any_of(matrix.of("driver-kernel"), [&](const Fact* line) { return line->text("component") == host.driver_component; })) return true;
    const auto is_met = [&](const Fact* fact) { return set_holds(*fact, "when", "kernel", *host.kernel); };
    return std::ranges::any_of(host.issues, is_met) || std::ranges::any_of(host.driver_issues, is_met) || std::ranges::any_of(host.python_issues, is_met);
}

/// What was said of the host and changes nothing.
void tell_unread(const Matrix& matrix, const Request& request, Host& host) {
    for (const auto& [name, value] : request.environment)
        if (!reads_variable(matrix, name)) host.assumptions.push_back("no fact of the matrix reads the variable " + base::printable(name) + ": it changes nothing");
    if (host.kernel && !reads_kernel(matrix, host)) host.assumptions.push_back("nothing that the matrix knows of these cards turns on kernel " + base::printable(host.kernel->str()) + ": it changes nothing");
}

base::Result<Host> read_host(const Matrix& matrix, const Request& request, std::vector<Card> cards) {
    if (request.python && !is_python(*request.python)) return usage("--python: `" + base::printable(*request.python) + "` is not a Python", "such as 3.12");
    Host host;
    host.cards = std::move(cards);
    for (const Card& card : host.cards) host.vendor = host.vendor.empty() || host.vendor == card.vendor ? card.vendor : "mixed";
    std::string os = base::lower(request.os.value_or(""));
    const bool named_wsl = os.starts_with("wsl");   // "wsl2:ubuntu:24.04"
    if (named_wsl) os = os.find(':') == std::string::npos ? "" : os.substr(os.find(':') + 1);
    const bool windows = os.starts_with("windows");
    host.wsl = named_wsl || (request.kernel && base::lower(*request.kernel).find("microsoft") != std::string::npos);
    host.windows_driver = windows || host.wsl;
    const bool macos = os.starts_with("macos") && !host.cards.empty();   // without a card its machine is not known
    host.platform = (windows ? "windows-" : macos ? "macos-" : "linux-") + machine_of(host.cards);
    const bool embedded = std::ranges::any_of(host.cards, &Card::embedded);
    if (embedded) host.driver_component = "l4t";
    else if (host.vendor == "amd") host.driver_component = windows ? "adrenalin" : "amdgpu-dkms";
    else host.driver_component = host.windows_driver ? "nvidia-windows" : "nvidia";
    read_drivers(matrix, host);
    auto driver = read_version(request.driver, "driver", "such as 570.124.06");
    if (!driver) return tl::make_unexpected(driver.error());
    host.driver = std::move(*driver);
    if (auto right = check_driver_number(host); !right) return tl::make_unexpected(right.error());
    if (auto right = check_driver_maker(matrix, host); !right) return tl::make_unexpected(right.error());
    complete_driver(host);
    auto kernel = read_version(request.kernel, "kernel", "as uname -r says: 6.8.0-45-generic");
    if (!kernel) return tl::make_unexpected(kernel.error());
    host.kernel = std::move(*kernel);
    host.os_name = os;
    host.image = request.image ? find_image(matrix, *request.image) : nullptr;
    read_user_space(matrix, request, host);
    read_issues(matrix, host);
    if (!host.user_space.empty() && !host.os && !windows && !macos && !host.wsl) host.assumptions.emplace_back("the matrix does not know " + base::printable(host.user_space) + ": nothing follows from it");
    if (macos) host.assumptions.push_back("of " + base::printable(os) + " the matrix knows only which wheels are built for it");
    tell_unread(matrix, request, host);
    if (host.cards.empty()) host.assumptions.emplace_back("a card that the build serves, as none was named");
    return host;
}

}  // namespace

std::string Card::title() const {
    if (!generation) return architecture->id;
    const auto full = generation->text("title");
    return architecture->id + " (" + std::string(full.substr(0, full.find(" ("))) + ")";
}

std::string Card::meaning() const {
    constexpr std::size_t most = 6;
    std::vector<std::string> models;
    for (const Fact* gpu : gpus)
        if (const auto model = gpu->text("name"); std::ranges::find(models, model) == models.end()) models.emplace_back(model);
    if (models.size() < 2) return name + " is " + title();
    if (models.size() > most) return name + " means " + std::to_string(models.size()) + " models, all " + title();
    return name + " means " + base::join(models, ", ") + ", all " + title();
}

bool Card::is_class(std::string_view wanted) const {
    return !gpus.empty() && std::ranges::all_of(gpus, [&](const Fact* gpu) { return gpu->text("class") == wanted; });
}

void read_drivers(const Matrix& matrix, Host& host) {
    host.branches = branches_of(matrix, host.driver_component);
    host.cuda_bundles.clear();
    for (const Fact* release : matrix.of("release")) {
        const Value* text = release->text("component") == "cuda" ? release->find("bundles", host.driver_component) : nullptr;
        auto cuda = dotted(release->text("version")), driver = text ? dotted(text->text) : std::nullopt;
        if (cuda && driver) host.cuda_bundles.push_back({release, std::move(*cuda), std::move(*driver)});
    }
}

namespace {

/// Days are written so that their order is that of their text.
void read_records(const Matrix& matrix, Host& host) {
    host.records.clear();
    for (const Fact* record : matrix.of("record")) {
        const auto is_it = [&](const Card& card) { return card.architecture->id == record->text("architecture"); };
        if (!host.cards.empty() && std::ranges::all_of(host.cards, is_it)) host.records.push_back(record);
    }
    std::ranges::stable_sort(host.records, std::ranges::greater(), [](const Fact* record) { return record->text("date"); });
}

}  // namespace

void read_issues(const Matrix& matrix, Host& host) {
    host.issues.clear(), host.driver_issues.clear(), host.python_issues.clear();
    host.package_rules.clear();
    host.watched.clear();
    const auto watch = [&](const Fact& fact, std::string_view field) {
        if (const Value* map = fact.find(field))
            for (const auto& [component, versions] : map->members) host.watched.insert(component);
    };
    for (const Fact* issue : matrix.of("issue")) {
        if (!may_concern(*issue, host)) continue;
        auto& list = issue->find("when", host.driver_component) ? host.driver_issues : issue->find("when", "python") ? host.python_issues : host.issues;
        list.push_back(issue), watch(*issue, "when");
    }
    for (const Fact* rule : matrix.of("rule")) {
        const auto is_package = [&](const model::Entry& entry) { return has_builds(matrix, entry.name); };
        if (std::ranges::none_of(rule->find("when")->members, is_package) && std::ranges::none_of(rule->find("requires")->members, is_package)) continue;
        host.package_rules.push_back(rule), watch(*rule, "when"), watch(*rule, "requires");
    }
    for (const Fact* build : matrix.of("build")) watch(*build, "requires");
    read_records(matrix, host);
}

void read_user_space(const Matrix& matrix, const Request& request, Host& host) {
    host.user_space = request.image ? system_of_image(matrix, host.image, *request.image) : host.os_name;
    host.contained = request.image.has_value();
    host.os = find_os(matrix, host.user_space);
    host.glibc.reset();
    if (const Value* glibc = host.os ? host.os->find("bundles", "glibc") : nullptr) host.glibc = dotted(glibc->text);
    host.python = host.image ? host.image->text("python") : "";
    if (host.python.empty() && host.os) host.python = host.os->text("python");
}

void leave_image(const Matrix& matrix, Request& request, Host& host) {
    request.image.reset();
    host.image = nullptr;
    read_user_space(matrix, request, host);
}

void leave_system(const Matrix& matrix, Request& request, Host& host) {
    request.os.reset();
    host.os_name.clear();
    read_user_space(matrix, request, host);
    read_issues(matrix, host);
}

void change_system(const Matrix& matrix, Request& request, Host& host, const std::string& os) {
    request.os = os;
    host.os_name = os;
    read_user_space(matrix, request, host);
    read_issues(matrix, host);
}

base::Result<std::vector<Host>> read_hosts(const Matrix& matrix, const Request& request) {
    if (auto known = check_specs(matrix, request); !known) return tl::make_unexpected(known.error());
    std::vector<std::vector<Card>> variants{{}};
    for (const std::string& name : request.gpus) {
        const auto cards = read_cards(matrix, name);
        if (!cards) return tl::make_unexpected(cards.error());
        if (cards->size() > 1 && request.gpus.size() > 1)
            return usage("`" + base::printable(name) + "` may be of several architectures, which cannot be combined with other cards", "name the exact model");
        std::vector<std::vector<Card>> next;
        for (const auto& variant : variants)
            for (const Card& card : *cards) {
                next.emplace_back(variant);
                next.back().push_back(card);
            }
        variants = std::move(next);
    }
    std::vector<Host> hosts;
    for (auto& cards : variants) {
        auto host = read_host(matrix, request, std::move(cards));
        if (!host) return tl::make_unexpected(host.error());
        hosts.push_back(std::move(*host));
    }
    return hosts;
}

}  // namespace vmatrix::compat
