// Rule 5: images.
#include "fixture.hpp"

using namespace compat_test;

namespace {

Judgement start(const char* gpu, const char* driver, const char* image) {
    Request asked = request({gpu});
    if (driver) asked.driver = driver;
    asked.image = image;
    const Host there = host(asked);
    return judge_image_start(matrix(), there, image, there.driver);
}

}  // namespace

TEST_CASE("an image asks for the CUDA that the driver serves", "[compat]") {
    CHECK(start("Game 86", "580.95.05", "nvidia/cuda:13.0.0-base").level == Level::supported);
    CHECK(start("Game 86", "525.147.05", "nvidia/cuda:13.0.0-base").level == Level::broken);
    CHECK(start("Game 86", "525.147.05", "nvidia/cuda:12.4.1-base").level == Level::broken);
    CHECK(start("Game 86", nullptr, "nvidia/cuda:13.0.0-base").level == Level::expected);
}

TEST_CASE("forward compatibility in the image serves data-center cards; others may start and fail", "[compat]") {
    CHECK(start("Big 80", "550.163.01", "nvidia/cuda:13.0.0-base").level == Level::supported);
    const Judgement judgement = start("Game 86", "550.163.01", "nvidia/cuda:13.0.0-base");
    CHECK(judgement.level == Level::broken);
    CHECK(cites(judgement, "compat-13.0"));
}

TEST_CASE("an image without CUDA, and one that nobody knows", "[compat]") {
    CHECK(start("Game 86", "525.147.05", "plain:1").reason.text.empty());
    CHECK(start("Game 86", "525.147.05", "who/knows:1").level == Level::unknown);
    CHECK(start("Game 86", "100", "nvidia/cuda:13.0.0-base").level == Level::unknown);
}
