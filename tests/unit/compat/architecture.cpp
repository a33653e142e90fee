// Rules 1, 2 and 6: code for the card.
#include "fixture.hpp"

using namespace compat_test;

namespace {

Judgement judge(const std::string& gpu, const std::string& version, const std::map<std::string, std::string>& environment = {}) {
    const Host there = host(gpu);
    return judge_architecture(matrix(), there, environment, build(version), there.cards.front());
}

const std::map<std::string, std::string> override_1030{{"HSA_OVERRIDE_GFX_VERSION", "10.3.0"}};

}  // namespace

TEST_CASE("code for the card itself, or for a lower number of the same major", "[compat]") {
    CHECK(judge("sm_86", "2.9.0+cu130").level == Level::supported);
    CHECK(judge("sm_86", "2.9.0+cu124").level == Level::supported);
    CHECK(cites(judge("sm_86", "2.9.0+cu124"), "torch-2.9.0+cu124"));
}

TEST_CASE("no code for the card", "[compat]") {
    const Judgement judgement = judge("sm_61", "2.9.0+cu130");
    CHECK(judgement.level == Level::broken);
    CHECK(judgement.reason.layer == "framework");
    CHECK(cites(judgement, "sm_61"));
}

TEST_CASE("PTX serves newer cards only", "[compat]") {
    CHECK(judge("sm_120", "2.9.0+cu124").level == Level::expected);
    CHECK(judge("sm_120", "2.8.0+cu124").level == Level::broken);
}

TEST_CASE("embedded and discrete code do not replace each other", "[compat]") {
    // Board 87 has PTX to run by, but sm_80 code of the aarch64 list is not for it.
    const Judgement judgement = judge("Board 87", "2.9.0+cu124");
    CHECK(judgement.level == Level::expected);
    CHECK(judgement.reason.text.find("PTX") != std::string::npos);
    CHECK(judge("Board 87", "2.9.0+cu130").level == Level::broken);
}

TEST_CASE("a derived list is good for expected only, on the platform whose list it is", "[compat]") {
    Host there = host("sm_80");
    const Build cu124 = build("2.9.0+cu124");
    CHECK(judge_architecture(matrix(), there, {}, cu124, there.cards.front()).level == Level::supported);
    there.platform = "linux-aarch64";
    CHECK(judge_architecture(matrix(), there, {}, cu124, there.cards.front()).level == Level::expected);
}

TEST_CASE("a build for something else is broken", "[compat]") {
    CHECK(judge("sm_86", "2.9.0+rocm6.4").level == Level::broken);
    CHECK(judge("sm_86", "2.9.0+cpu").level == Level::broken);
    CHECK(judge("gfx1100", "2.9.0+cu130").level == Level::broken);
}

TEST_CASE("a build without a list: a firm no of the toolkit, or unknown", "[compat]") {
    CHECK(judge("sm_86", "2.8.0+cu130").level == Level::unknown);
    CHECK(judge("sm_61", "2.8.0+cu130").level == Level::broken);
    CHECK(cites(judge("sm_61", "2.8.0+cu130"), "cuda-13-targets"));
}

TEST_CASE("AMD: exactly this code, or a generic target", "[compat]") {
    CHECK(judge("gfx1030", "2.9.0+rocm6.4").level == Level::supported);
    CHECK(judge("gfx1101", "2.9.0+rocm6.4").level == Level::supported);
}

TEST_CASE("AMD: code in the build does not help without code in its BLAS library", "[compat]") {
    const Judgement judgement = judge("gfx803", "2.9.0+rocm6.4");
    CHECK(judgement.level == Level::broken);
    CHECK(judgement.reason.layer == "runtime");
    CHECK(cites(judgement, "rocblas-6.4"));
}

TEST_CASE("AMD: a reported override is a workaround, with its exact value", "[compat]") {
    const Judgement judgement = judge("gfx1031", "2.9.0+rocm6.4");
    CHECK(judgement.level == Level::workaround);
    CHECK(judgement.environment == override_1030);
    CHECK(judge("gfx1031", "2.9.0+rocm6.4", override_1030).level == Level::workaround);
    CHECK(judge("gfx1031", "2.9.0+rocm6.4", {{"HSA_OVERRIDE_GFX_VERSION", "9.0.0"}}).level == Level::broken);
}

TEST_CASE("AMD: an override on a card that is served natively", "[compat]") {
    const auto with = [](const char* gpu, const char* value) { return judge(gpu, "2.9.0+rocm6.4", {{"HSA_OVERRIDE_GFX_VERSION", value}}); };
    SECTION("to itself changes nothing") {
        const Judgement judgement = with("gfx1030", "10.3.0");
        CHECK(judgement.level == Level::supported);
        CHECK(judgement.reason.layer == "framework");
    }
    SECTION("to another generation is broken") {
        const Judgement judgement = with("gfx1030", "11.0.0");
        CHECK(judgement.level == Level::broken);
        CHECK(judgement.reason.layer == "host-config");
        CHECK(cites(judgement, "gfx1100"));
        CHECK(judgement.advice.front().text == "unset HSA_OVERRIDE_GFX_VERSION");
    }
    SECTION("to a sibling that the build has no code for is broken") { CHECK(with("gfx1030", "10.3.1").level == Level::broken); }
    SECTION("to something that is no target is broken") {
        for (const char* value : {"gfx1030", "10.3", "10.3.0 ", "10.3.99", "", "11.0.0.0", "-1.0.0"}) {
            INFO(value);
            CHECK(with("gfx1030", value).level == Level::broken);
        }
    }
}

TEST_CASE("AMD: where nothing reads the override it changes nothing", "[compat]") {
    Host there = host("gfx1030");
    there.platform = "windows-x86_64";
    const Build rocm = build("2.9.0+rocm6.4");
    const std::map<std::string, std::string> environment{{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"}};
    CHECK(judge_architecture(matrix(), there, environment, rocm, there.cards.front()).level == Level::supported);
}

TEST_CASE("what a toolkit compiles for", "[compat]") {
    const Card pascal = host("sm_61").cards.front(), ampere = host("sm_86").cards.front();
    CHECK(judge_toolkit(matrix(), number("12.4"), pascal).level == Level::supported);
    CHECK(judge_toolkit(matrix(), number("13.0"), pascal).level == Level::broken);
    CHECK(judge_toolkit(matrix(), number("13.0"), ampere).level == Level::supported);
    CHECK(judge_toolkit(matrix(), number("9.0"), ampere).level == Level::unknown);
}

TEST_CASE("a library has code of its own, and was built for a CUDA", "[compat]") {
    const auto levels = [](const char* gpu, std::optional<Version> cuda) {
        std::vector<Level> all;
        for (const Judgement& judgement : judge_library(matrix(), host(gpu), "cudnn", number("9.13"), cuda)) all.push_back(judgement.level);
        return all;
    };
    CHECK(levels("sm_61", std::nullopt) == std::vector{Level::supported});   // with CUDA 12 it has
    CHECK(levels("sm_61", number("12.4")) == std::vector{Level::supported, Level::supported});
    CHECK(levels("sm_61", number("13.0")) == std::vector{Level::broken, Level::supported});
    CHECK(levels("sm_86", number("11.8")) == std::vector{Level::supported, Level::broken});
    CHECK(judge_library(matrix(), host("sm_86"), "cudnn", number("7"), std::nullopt).front().level == Level::unknown);
    CHECK(levels("gfx1100", std::nullopt) == std::vector{Level::broken});
}
