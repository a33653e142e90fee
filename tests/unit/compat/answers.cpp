// How rules, wishes and the solver make an answer.
#include <algorithm>

#include "compat/check.hpp"
#include "compat/resolve.hpp"
#include "fixture.hpp"

using namespace compat_test;

namespace {

ResolveAnswer resolved(const Request& asked, std::size_t alternatives = 0) {
    auto answer = resolve(matrix(), host(asked), asked, alternatives);
    REQUIRE(answer.has_value());
    return *answer;
}

CheckAnswer checked(const Request& asked) {
    auto answer = check(matrix(), host(asked), asked);
    REQUIRE(answer.has_value());
    return *answer;
}

std::string torch_of(const ResolveAnswer& answer) { return answer.stacks.empty() ? "none" : answer.stacks.front().components.at("torch"); }

Request on_python(Request asked, const char* python) {
    asked.python = python;
    return asked;
}
Request on_driver(Request asked, const char* driver) {
    asked.driver = driver;
    return asked;
}

bool names(const std::vector<std::string>& wishes, std::string_view wish) { return std::ranges::find(wishes, wish) != wishes.end(); }

}  // namespace

TEST_CASE("the newest release that runs, and no preview unasked", "[compat]") {
    CHECK(torch_of(resolved(request({"Game 86"}))) == "2.9.0+cu130");
    CHECK(torch_of(resolved(request({"Game 86"}, {"torch==2.10.0+cu130"}))) == "2.10.0+cu130");
    CHECK(torch_of(resolved(request({"Old 10"}))) == "2.9.0+cu124");
    CHECK(torch_of(resolved(request({"RX 30"}))) == "2.9.0+rocm6.4");
}

TEST_CASE("a wish for the runtime chooses the build", "[compat]") {
    for (const char* cuda : {"cuda==12.4", "cuda== 12.4", "cuda===12.4"}) CHECK(torch_of(resolved(request({"Game 86"}, {"torch", cuda}))) == "2.9.0+cu124");
    CHECK(torch_of(resolved(request({"Game 86"}, {"torch", "cuda<12"}))) == "none");
}

TEST_CASE("the given driver and Python hold, the others are chosen", "[compat]") {
    const auto answer = resolved(on_python(on_driver(request({"Game 86"}), "550.163.01"), "3.10.4"));
    REQUIRE(torch_of(answer) == "2.9.0+cu124");
    CHECK(answer.stacks.front().components.at("driver") == "550.163.01");
    CHECK(answer.stacks.front().components.at("python") == "3.10");
    CHECK(answer.stacks.front().components.at("torchvision") == "0.24.0");
}

TEST_CASE("a build for the processor never answers for a card", "[compat]") {
    const auto answer = resolved(on_driver(request({"Game 86"}), "460.10"));
    CHECK(torch_of(answer) == "none");
    CHECK_FALSE(answer.conflict.empty());
    CHECK_FALSE(answer.repairs.empty());
}

TEST_CASE("an override is offered only where nothing runs without, and is said", "[compat]") {
    const auto answer = resolved(request({"RX 31"}));
    REQUIRE(torch_of(answer) == "2.9.0+rocm6.4");
    CHECK(answer.stacks.front().level == Level::workaround);
    CHECK(answer.stacks.front().environment.at("HSA_OVERRIDE_GFX_VERSION") == "10.3.0");
    Request without = request({"RX 31"});
    without.least = Level::expected;
    CHECK(torch_of(resolved(without)) == "none");
}

TEST_CASE("an experimental Python is only for those who ask for it", "[compat]") {
    CHECK(resolved(request({"Game 86"})).stacks.front().components.at("python") != "3.14");
    const auto answer = resolved(on_python(request({"Game 86"}), "3.14"));
    REQUIRE(torch_of(answer) == "2.9.0+cu130");
    CHECK(answer.stacks.front().level == Level::workaround);
}

TEST_CASE("a conflict names wishes that contradict, and leaving any of them out helps", "[compat]") {
    const Request asked = on_python(request({"Game 86"}, {"torch==2.8.0"}), "3.12");
    const auto answer = resolved(asked);
    REQUIRE(answer.stacks.empty());
    CHECK(names(answer.wishes, "torch==2.8.0"));
    CHECK(names(answer.wishes, "Python 3.12"));
    CHECK(answer.wishes.size() == 2);
    CHECK_FALSE(resolved(on_python(request({"Game 86"}), "3.12")).stacks.empty());
    CHECK_FALSE(resolved(request({"Game 86"}, {"torch==2.8.0"})).stacks.empty());
}

TEST_CASE("a wish that takes no part in the conflict is not named", "[compat]") {
    const auto answer = resolved(on_python(request({"Old 10"}, {"torch==2.9.0+cu130"}), "3.12"));
    REQUIRE(answer.stacks.empty());
    CHECK(answer.wishes == std::vector<std::string>{"torch==2.9.0+cu130"});
}

TEST_CASE("every repair that resolve offers was found to hold", "[compat]") {
    const Request asked = on_python(request({"Game 86"}, {"torch==2.8.0"}), "3.12");
    const auto answer = resolved(asked);
    REQUIRE(answer.repairs.size() == 2);
    for (const Repair& repair : answer.repairs) {
        Request changed = asked;
        if (repair.changes.contains("python")) changed.python = repair.changes.at("python");
        if (repair.changes.contains("torch")) changed.specs = {*parse_spec("torch==" + repair.changes.at("torch"))};
        CHECK_FALSE(resolved(changed).stacks.empty());
    }
}

TEST_CASE("alternatives are other releases", "[compat]") {
    const auto answer = resolved(request({"Game 86"}), 5);
    REQUIRE(answer.stacks.size() == 2);
    CHECK(answer.stacks[0].builds.front().version != answer.stacks[1].builds.front().version);
}

TEST_CASE("the same request gives the same answer", "[compat]") {
    const auto once = resolved(request({"Game 86"}), 5), again = resolved(request({"Game 86"}), 5);
    REQUIRE(once.stacks.size() == again.stacks.size());
    for (std::size_t i = 0; i < once.stacks.size(); ++i) CHECK(once.stacks[i].components == again.stacks[i].components);
}

TEST_CASE("several cards must all be served", "[compat]") {
    CHECK(torch_of(resolved(request({"Old 10", "Big 80"}))) == "2.9.0+cu124");
    CHECK(torch_of(resolved(request({"Old 10", "RX 30"}))) == "none");
}

TEST_CASE("cards that no stack serves together are answered apart", "[compat]") {
    const auto answer = resolved(request({"Old 10", "New 120"}, {"torch==2.8.0"}));
    REQUIRE(answer.stacks.empty());
    const auto alone = std::ranges::find_if(answer.repairs, [](const Repair& repair) { return repair.changes.contains("gpu"); });
    REQUIRE(alone != answer.repairs.end());
    CHECK(alone->text == "for Old 10 alone, in a host of its own, use torch 2.8.0+cu124");
}

TEST_CASE("an image decides what runs in it", "[compat]") {
    const auto in_image = [](std::vector<std::string> gpus, const char* image) {
        Request asked = request(std::move(gpus));
        asked.image = image;
        return resolved(asked);
    };
    CHECK(torch_of(in_image({"Big 80"}, "some/torch:2.9-cu130")) == "2.9.0+cu130");
    CHECK(torch_of(in_image({"Game 86"}, "some/torch:2.9-cu124")) == "2.9.0+cu124");
    CHECK(torch_of(in_image({"Game 86"}, "plain:1")) == "2.9.0+cu130");
    CHECK(in_image({"Game 86"}, "who/knows:1").stacks.front().level == Level::unknown);
    const auto refused = in_image({"Old 10"}, "some/torch:2.9-cu130");
    REQUIRE(torch_of(refused) == "none");
    CHECK(names(refused.wishes, "the image some/torch:2.9-cu130"));
    CHECK(std::ranges::any_of(refused.repairs, [](const Repair& repair) { return repair.changes.contains("image"); }));
}

TEST_CASE("a stack names an image that serves the cards", "[compat]") {
    const auto image = [](const Request& asked) { return resolved(asked).stacks.front().image->id; };
    CHECK(image(request({"Game 86"})) == "image-torch-130");
    CHECK(image(request({"Old 10"})) == "image-torch-124");
    CHECK(image(request({"RX 100"})) == "image-rocm");
}

TEST_CASE("packages that no rule reads are passed on, and said so", "[compat]") {
    const auto answer = resolved(request({"Game 86"}, {"numpy"}));
    REQUIRE(torch_of(answer) == "2.9.0+cu130");
    CHECK(std::ranges::any_of(answer.stacks.front().assumptions, [](const std::string& text) { return text.find("numpy") != std::string::npos; }));
}

TEST_CASE("slips in a request are errors of usage, not answers", "[compat]") {
    CHECK_FALSE(read_hosts(matrix(), request({"Game 86"}, {"pytorch>=2"})).has_value());
    CHECK_FALSE(read_hosts(matrix(), on_driver(request({"RX 30"}), "550.163.01")).has_value());
    CHECK_FALSE(read_hosts(matrix(), on_driver(request({"Game 86"}), "6.4.1")).has_value());
    CHECK(read_hosts(matrix(), on_driver(request({"RX 30"}), "6.4.1")).has_value());
    for (const char* spec : {"torch>=3,<2", "torch==abc", "cuda==abc", "numpy==abc"}) CHECK_FALSE(read_hosts(matrix(), request({"Game 86"}, {spec})).has_value());
    CHECK_FALSE(read_hosts(matrix(), on_driver(request({"Game 86"}), "99999999999999999999.1")).has_value());
    CHECK(read_hosts(matrix(), on_driver(request({"Game 86"}), "1000.1")).has_value());
}

TEST_CASE("a name of several architectures gives a host for each, alone only", "[compat]") {
    const auto hosts = read_hosts(matrix(), request({"any86"}));
    REQUIRE(hosts.has_value());
    CHECK(hosts->size() == 2);
    CHECK_FALSE(read_hosts(matrix(), request({"any86", "Old 10"})).has_value());
    CHECK_FALSE(read_hosts(matrix(), request({"No Such Card"})).has_value());
    CHECK_FALSE(read_hosts(matrix(), request({"gfx11-generic"})).has_value());   // a target, not a card
}

TEST_CASE("without a card a driver is that of the build's vendor", "[compat]") {
    CHECK(torch_of(resolved(on_driver(request({}), "550.163.01"))) == "2.9.0+cu124");
    CHECK(torch_of(resolved(on_driver(request({}), "6.4.1"))) == "2.9.0+rocm6.4");
}

TEST_CASE("check: works, workaround, broken, unknown", "[compat]") {
    CHECK(verdict(checked(request({"Game 86"}, {"torch==2.9.0+cu130"})).level) == "works");
    CHECK(verdict(checked(request({"RX 31"}, {"torch==2.9.0+rocm6.4"})).level) == "workaround");
    CHECK(verdict(checked(request({"Game 86"}, {"torch==2.20.0+cu130"})).level) == "unknown");
    const auto broken = checked(request({"Old 10"}, {"torch==2.9.0+cu130"}));
    CHECK(verdict(broken.level) == "broken");
    REQUIRE_FALSE(broken.repairs.empty());
    CHECK(broken.repairs.front().changes.at("torch") == "2.9.0+cu124");
}

TEST_CASE("check: what decides comes first", "[compat]") {
    const auto answer = checked(on_driver(request({"Game 86"}, {"torch==2.9.0+cu130"}), "525.147.05"));
    CHECK(answer.level == Level::broken);
    CHECK(answer.reasons.front().layer == "driver");
    CHECK(std::ranges::any_of(answer.repairs, [](const Repair& repair) { return repair.changes.contains("driver"); }));
}

TEST_CASE("check: a build that a known release does not have is a no", "[compat]") {
    CHECK(checked(request({"Game 86"}, {"torch==2.9.0+cu118"})).level == Level::broken);
    CHECK(checked(request({"Game 86"}, {"torch==7.0.0"})).level == Level::unknown);
}

TEST_CASE("check: a bare version means PyPI's build, and the answer says so", "[compat]") {
    const auto answer = checked(request({"Game 86"}, {"torch==2.8.0"}));
    CHECK(answer.level == Level::supported);
    CHECK_FALSE(answer.assumptions.empty());
}

TEST_CASE("check: an image is judged by what it holds", "[compat]") {
    const auto in_image = [](const char* gpu, const char* image, std::vector<std::string> specs) {
        Request asked = request({gpu}, std::move(specs));
        asked.image = image;
        return checked(asked);
    };
    CHECK(in_image("Game 86", "some/torch:2.9-cu130", {}).level == Level::expected);   // no driver was named
    const auto broken = in_image("Old 10", "some/torch:2.9-cu130", {});
    CHECK(broken.level == Level::broken);
    REQUIRE_FALSE(broken.repairs.empty());
    CHECK(broken.repairs.front().changes.at("image") == "some/torch:2.9-cu124");
    CHECK(in_image("Big 80", "some/torch:2.9-cu130", {"torch==2.8.0+cu124"}).level == Level::unknown);   // in its place, on a C library that nobody knows
    CHECK(in_image("Big 80", "some/torch:2.9-cu124", {"torch==2.9.0+cu130"}).level == Level::broken);    // and here on one that is too old
    CHECK(in_image("Game 86", "who/knows:1", {"torch==2.9.0+cu130"}).level == Level::unknown);
}

TEST_CASE("check: the companion that belongs is the first repair", "[compat]") {
    const auto answer = checked(request({"Game 86"}, {"torch==2.9.0+cu130", "torchvision==0.23.0"}));
    CHECK(answer.level == Level::broken);
    REQUIRE_FALSE(answer.repairs.empty());
    CHECK(answer.repairs.front().changes == std::map<std::string, std::string>{{"torchvision", "0.24.0"}});
}

TEST_CASE("check: an override is replaced or unset, and what is there is not offered again", "[compat]") {
    Request asked = request({"RX 31"}, {"torch==2.9.0+rocm6.4"});
    asked.environment["HSA_OVERRIDE_GFX_VERSION"] = "11.0.0";
    const auto answer = checked(asked);
    CHECK(answer.level == Level::broken);
    REQUIRE(answer.repairs.size() >= 1);
    CHECK(answer.repairs.front().text == "set HSA_OVERRIDE_GFX_VERSION=10.3.0");
    asked = request({"RX 30"}, {"torch==2.9.0+rocm6.4"});
    asked.environment["HSA_OVERRIDE_GFX_VERSION"] = "11.0.0";
    REQUIRE(checked(asked).repairs.size() == 1);
    CHECK(checked(asked).repairs.front().text == "unset HSA_OVERRIDE_GFX_VERSION");
}

TEST_CASE("check: a driver is replaced by a newer one that is no legacy branch", "[compat]") {
    const auto answer = checked(on_driver(request({"Old 10"}, {"torch==2.9.0+cu124"}), "450.80.02"));
    CHECK(answer.level == Level::broken);
    const auto driver = std::ranges::find_if(answer.repairs, [](const Repair& repair) { return repair.changes.contains("driver"); });
    REQUIRE(driver != answer.repairs.end());
    CHECK(driver->changes.at("driver") == "525.147.05");
}

TEST_CASE("check: what one card has to set is set for all", "[compat]") {
    const auto answer = checked(request({"RX 31", "RX 100"}, {"torch==2.9.0+rocm6.4"}));
    CHECK(answer.level == Level::broken);   // 10.3.0 makes RDNA 2 of an RDNA 3
    CHECK(answer.environment.empty());
    CHECK(checked(request({"RX 31", "RX 30"}, {"torch==2.9.0+rocm6.4"})).level == Level::workaround);
}

TEST_CASE("check: a bare name means the package in the image", "[compat]") {
    Request asked = request({"New 120"}, {"torch"});
    asked.image = "some/torch:2.9-cu124";
    CHECK(std::ranges::any_of(checked(asked).reasons, [](const Reason& reason) { return reason.text.find("torch 2.9.0+cu124") != std::string::npos; }));
}

TEST_CASE("a conflict is told by builds for the card's maker", "[compat]") {
    Request asked = request({"RX 30"});
    asked.environment["HSA_OVERRIDE_GFX_VERSION"] = "11.0.0";
    const auto answer = resolved(asked);
    REQUIRE(torch_of(answer) == "none");
    REQUIRE(answer.conflict.size() == 1);
    CHECK(answer.conflict.front().layer == "host-config");
    REQUIRE_FALSE(answer.repairs.empty());
    CHECK(answer.repairs.front().changes == std::map<std::string, std::string>{{"HSA_OVERRIDE_GFX_VERSION", ""}});
}

TEST_CASE("a wish for a companion has a reason", "[compat]") {
    const auto answer = resolved(request({"Game 86"}, {"torch==2.9.0", "torchvision==0.1"}));
    REQUIRE(torch_of(answer) == "none");
    CHECK(answer.conflict.front().text.find("torchvision 0.24.0 belongs to torch 2.9.0") == 0);
}

TEST_CASE("a system that nobody knows does not change the choice", "[compat]") {
    Request asked = request({"Game 86"});
    asked.os = "plan9:4";
    const auto answer = resolved(asked);
    CHECK(torch_of(answer) == "2.9.0+cu130");
    CHECK(answer.stacks.front().level == Level::unknown);
}

TEST_CASE("where no single change helps, all begins anew", "[compat]") {
    Request asked = on_python(on_driver(request({"Old 10"}, {"torch==2.8.0"}), "590.10"), "3.9");
    const auto answer = resolved(asked);
    REQUIRE(torch_of(answer) == "none");
    REQUIRE(answer.repairs.size() == 1);
    CHECK(answer.repairs.front().text.starts_with("begin anew: torch 2.9.0+cu124"));
    CHECK(answer.repairs.front().changes.at("driver") == "580.95.05");
}
