// Rules 7 and 8: AMD's lists, user space against kernel driver, module against kernel.
#include "fixture.hpp"

using namespace compat_test;

namespace {

Judgement card_on(const char* rocm, const char* gpu) { return judge_rocm_card(matrix(), host(gpu), number(rocm), host(gpu).cards.front()); }

}  // namespace

TEST_CASE("a card that AMD lists by name, or only by its architecture", "[compat]") {
    CHECK(card_on("6.4.1", "RX 100").level == Level::supported);
    CHECK(card_on("6.4.1", "gfx1100").level == Level::supported);
}

TEST_CASE("a card that is not listed but has code in the libraries", "[compat]") { CHECK(card_on("6.4.0", "RX 30").level == Level::expected); }

TEST_CASE("a card without list and code", "[compat]") {
    CHECK(card_on("6.4.0", "RX 31").level == Level::broken);
    CHECK(card_on("6.4.0", "gfx803").level == Level::broken);
    CHECK(cites(card_on("6.4.0", "gfx803"), "dropped"));
}

TEST_CASE("a card that is newer than the ROCm", "[compat]") {
    const Judgement judgement = card_on("5.0", "RX 101");
    CHECK(judgement.level == Level::broken);
    CHECK(cites(judgement, "later"));
    CHECK_FALSE(judgement.advice.empty());
}

TEST_CASE("a library list that is not complete forbids nothing", "[compat]") { CHECK(card_on("7.0", "gfx803").level == Level::unknown); }

TEST_CASE("ROCm and amdgpu driver", "[compat]") {
    CHECK(judge_rocm_driver(matrix(), number("6.4.0"), number("6.4.1")).level == Level::supported);
    CHECK(judge_rocm_driver(matrix(), number("6.4.0"), number("30.10")).level == Level::broken);
    CHECK(judge_rocm_driver(matrix(), number("9.0"), number("30.10")).level == Level::unknown);
}

TEST_CASE("module and kernel", "[compat]") {
    const auto on = [](const char* kernel) { return judge_module(matrix(), "amdgpu-dkms", number("6.4.1"), number(kernel)); };
    CHECK(on("6.8.0-45").level == Level::supported);
    CHECK(on("6.11.0-9").level == Level::supported);
    CHECK(on("6.12").level == Level::unknown);
    CHECK(on("6.14").level == Level::broken);
    CHECK_FALSE(on("6.14").advice.empty());
    CHECK(judge_module(matrix(), "amdgpu-dkms", number("9.9"), number("6.8")).reason.text.empty());
}

TEST_CASE("a release without a list of its own lies between those of its neighbours", "[compat]") {
    const auto has = [](const char* rocm, const char* architecture) {
        Reason reason;
        return library_has(matrix(), number(rocm), architecture, reason);
    };
    CHECK(has("6.3.0", "gfx1030") == true);
    CHECK(has("6.3.0", "gfx803") == false);
    CHECK_FALSE(has("6.3.0", "gfx1100").has_value());   // the neighbours disagree
    CHECK_FALSE(has("6.1", "gfx1030").has_value());     // nothing below
}

TEST_CASE("a system that AMD does not list forbids nothing and is not supported", "[compat]") {
    const auto on = [](const char* os, const char* kernel, const char* rocm) {
        Request asked = request({"RX 100"});
        asked.os = os;
        if (kernel) asked.kernel = kernel;
        return judge_rocm_system(matrix(), host(asked), number(rocm)).level;
    };
    CHECK(on("ubuntu:24.04", nullptr, "6.4.0") == Level::supported);
    CHECK(on("ubuntu:24.04", "6.8.0-45-generic", "6.4.0") == Level::supported);
    CHECK(on("ubuntu:24.04", "6.14", "6.4.0") == Level::expected);
    CHECK(on("debian:12", nullptr, "6.4.0") == Level::expected);
    CHECK(on("ubuntu:24.04", nullptr, "7.0.0") == Level::expected);
    CHECK(on("wsl2:ubuntu:24.04", nullptr, "6.4.0") == Level::expected);
    CHECK(judge_rocm_system(matrix(), host("RX 100"), number("6.4.0")).reason.text.empty());
}
