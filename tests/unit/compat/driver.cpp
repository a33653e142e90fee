// Rules 3 and 4: drivers.
#include "fixture.hpp"

using namespace compat_test;

namespace {

Level cuda_on(const Host& host, const char* cuda, const char* driver, bool jit = false) { return judge_cuda_driver(matrix(), host, number(cuda), number(driver), jit).level; }

Host windows_host() {
    Request windows = request({"Game 86"});
    windows.os = "windows:11";
    return host(windows);
}

}  // namespace

TEST_CASE("a driver as new as the toolkit's own, or of a branch that knows the CUDA, is supported", "[compat]") {
    const Host there = host("Game 86");
    CHECK(cuda_on(there, "12.4.1", "550.54.15") == Level::supported);
    CHECK(cuda_on(there, "12.4.1", "550.40.07") == Level::supported);
    CHECK(cuda_on(there, "12.4", "580.65.06") == Level::supported);
    CHECK(cuda_on(there, "13.0.0", "580.65.06") == Level::supported);
}

TEST_CASE("minor-version compatibility is expected from the floor on, and compiles no PTX", "[compat]") {
    const Host there = host("Game 86");
    CHECK(cuda_on(there, "12.4.1", "525.60.13") == Level::expected);
    CHECK(cuda_on(there, "12.4.1", "525.60.13", true) == Level::broken);
    CHECK(cuda_on(there, "12.4.1", "550.54.15", true) == Level::supported);
}

TEST_CASE("below the floor is broken, and the advice names it", "[compat]") {
    Request asked = request({"Game 86"});
    asked.driver = "525.60.12";
    const Judgement judgement = judge_cuda_driver(matrix(), host(asked), number("12.4.1"), number("525.60.12"), false);
    CHECK(judgement.level == Level::broken);
    CHECK(cites(judgement, "floor-12"));
    REQUIRE(judgement.advice.size() == 1);
    CHECK(judgement.advice.front().text.find("525.60.13") != std::string::npos);
}

TEST_CASE("a CUDA without rule and release is unknown", "[compat]") { CHECK(cuda_on(host("Game 86"), "14.0", "580.65.06") == Level::unknown); }

TEST_CASE("Windows drivers are another series", "[compat]") {
    const Host windows = windows_host();
    REQUIRE(windows.driver_component == "nvidia-windows");
    CHECK(cuda_on(windows, "12.4.1", "551.78") == Level::supported);
    CHECK(cuda_on(windows, "12.4.1", "528.33") == Level::expected);
    CHECK(cuda_on(windows, "12.4.1", "525.60.13") == Level::broken);
    CHECK(newest_cuda(windows, number("580.88")) == number("13.0.0"));
    CHECK_FALSE(newest_cuda(windows, number("400")).has_value());
}

TEST_CASE("first and last branch of a generation", "[compat]") {
    const auto served = [](const char* gpu, const char* driver) {
        const Host there = host(gpu);
        return judge_card_driver(there, there.cards.front(), number(driver));
    };
    CHECK(served("Old 10", "580.95.05").level == Level::supported);
    CHECK(served("Old 10", "590.10").level == Level::broken);
    CHECK(served("New 120", "570").level == Level::supported);
    CHECK(served("New 120", "550.163.01").level == Level::broken);
    CHECK(cites(served("New 120", "550.163.01"), "blackwell"));
    CHECK(served("RX 100", "6.4.1").level == Level::supported);
    const Host windows = windows_host();
    CHECK(judge_card_driver(windows, windows.cards.front(), number("400")).level == Level::unknown);   // Linux numbers say that it needs a first one
    CHECK(judge_card_driver(windows, windows.cards.front(), number("551.78")).level == Level::unknown);
    const auto on_windows = [](const char* gpu, const char* driver) {
        Request asked = request({gpu});
        asked.os = "windows:11";
        const Host there = host(asked);
        return judge_card_driver(there, there.cards.front(), number(driver)).level;
    };
    CHECK(on_windows("New 120", "572.16") == Level::supported);
    CHECK(on_windows("New 120", "560.94") == Level::broken);
    CHECK(on_windows("Old 10", "591.44") == Level::unknown);
}

TEST_CASE("a driver between two branches belongs to the lower one", "[compat]") {
    REQUIRE(branch_of(host("sm_86"), number("560.35.05")) != nullptr);
    CHECK(branch_of(host("sm_86"), number("560.35.05"))->id == "nvidia-550");
    CHECK(branch_of(host("sm_86"), number("300")) == nullptr);
    CHECK(newest_cuda(host("Game 86"), number("560.35.05")) == number("12.4"));
}

TEST_CASE("open and proprietary modules do not go together", "[compat]") {
    CHECK(judge_modules(host(request({"Old 10", "New 120"}))).level == Level::broken);
    CHECK(cites(judge_modules(host(request({"Old 10", "New 120"}))), "blackwell"));
    CHECK(judge_modules(host(request({"Game 86", "New 120"}))).reason.text.empty());
}

TEST_CASE("a Jetson's driver is not one of NVIDIA's numbers", "[compat]") {
    Request asked = request({"Board 87", "Game 86"});
    const Host there = host(asked);
    REQUIRE(there.driver_component == "l4t");
    for (const Card& card : there.cards) CHECK(judge_card_driver(there, card, number("580.95.05")).level == Level::unknown);
}

TEST_CASE("a Jetson takes its CUDA from JetPack", "[compat]") {
    const Card board = host("Board 87").cards.front();
    CHECK(judge_jetpack(matrix(), number("12.4"), board).level == Level::supported);
    CHECK(judge_jetpack(matrix(), number("13.0"), board).level == Level::unknown);
}
