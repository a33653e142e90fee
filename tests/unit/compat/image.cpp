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

Judgement content(const char* gpu, const char* image) {
    Request asked = request({gpu});
    asked.image = image;
    const Host there = host(asked);
    return judge_image_content(matrix(), there, {}, there.image, image, there.cards.front());
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

TEST_CASE("other images than those of CUDA ask for nothing, and are served like any CUDA", "[compat]") {
    CHECK(start("Game 86", "550.163.01", "some/torch:2.9-cu124").level == Level::supported);
    CHECK(start("Game 86", "525.147.05", "some/torch:2.9-cu124").level == Level::expected);
    CHECK(start("Game 86", "525.147.05", "some/torch:2.9-cu130").level == Level::broken);
}

TEST_CASE("what an image holds must run on the card", "[compat]") {
    CHECK(content("Game 86", "some/torch:2.9-cu130").level == Level::supported);
    CHECK(cites(content("Game 86", "some/torch:2.9-cu130"), "torch-2.9.0+cu130"));
    CHECK(content("Old 10", "some/torch:2.9-cu130").level == Level::broken);
    CHECK(content("Old 10", "some/torch:2.9-cu124").level == Level::supported);
    CHECK(content("Old 10", "docker.io/some/torch:2.9-cu124@sha256:0").level == Level::supported);
    CHECK(content("Old 10", "nvidia/cuda:13.0.0-base").level == Level::broken);
    CHECK(content("RX 100", "some/torch:2.9-cu124").level == Level::broken);
    CHECK(content("Game 86", "some/rocm:6.4").level == Level::broken);
    CHECK(content("RX 100", "some/rocm:6.4").level == Level::expected);   // a build of its maker's own
    CHECK(content("Old 10", "maker/torch:1").level == Level::unknown);
    CHECK(content("New 120", "maker/torch:1").level == Level::broken);
}

TEST_CASE("what nobody knows of an image is unknown, and what cannot run is broken", "[compat]") {
    Request asked = request({"Game 86"});
    asked.image = "plain:1";
    CHECK(judge_image_system(matrix(), host(asked), "plain:1").level == Level::unknown);
    CHECK(content("Game 86", "some/arm:1").level == Level::broken);
    CHECK(content("Board 87", "some/torch:2.9-cu124").level == Level::unknown);
}

TEST_CASE("a digest says more than the tag beside it", "[compat]") {
    const std::string known = "@sha256:" + std::string(64, 'a'), other = "@sha256:" + std::string(64, 'b');
    CHECK(find_image(matrix(), "some/torch:2.9-cu130" + known)->id == "image-torch-124");
    CHECK(find_image(matrix(), "some/torch" + known)->id == "image-torch-124");
    CHECK(find_image(matrix(), "some/torch:2.9-cu130" + other) == nullptr);
}

TEST_CASE("the end of a tag tells the system", "[compat]") {
    CHECK(system_of_image(matrix(), nullptr, "nvidia/cuda:12.4.1-devel-ubuntu24.04") == "ubuntu:24.04");
    CHECK(system_of_image(matrix(), nullptr, "nvidia/cuda:11.8.0-devel-centos7") == "centos:7");
    CHECK(system_of_image(matrix(), nullptr, "who/knows:latest").empty());
}

TEST_CASE("a ROCm container wants a driver of Linux that its ROCm is documented with", "[compat]") {
    const auto start_rocm = [](const char* os, const char* driver) {
        Request asked = request({"RX 100"});
        if (os) asked.os = os;
        asked.image = "some/rocm:6.4";
        const Host there = host(asked);
        return judge_image_start(matrix(), there, *asked.image, driver ? std::optional(number(driver)) : std::nullopt);
    };
    CHECK(start_rocm(nullptr, "6.4.1").level == Level::supported);
    CHECK(start_rocm(nullptr, "5.3").level == Level::broken);
    CHECK(start_rocm(nullptr, nullptr).reason.text.empty());
    const auto system = [](const char* os) {
        Request asked = request({"RX 100"});
        asked.os = os;
        asked.image = "some/rocm:6.4";
        return judge_image_system(matrix(), host(asked), *asked.image);
    };
    CHECK(system("windows:11").level == Level::broken);
    CHECK(system("wsl2:ubuntu:24.04").level == Level::unknown);
    CHECK(system("ubuntu:24.04").reason.text.empty());
}

TEST_CASE("programs in a container see the image's system", "[compat]") {
    Request asked = request({"Game 86"});
    asked.os = "ubuntu:24.04";
    asked.image = "some/torch:2.9-cu124";
    CHECK(host(asked).glibc == number("2.17"));
    CHECK(host(asked).python == "3.10");
    asked.image = "who/knows:1";
    CHECK_FALSE(host(asked).glibc.has_value());
}

TEST_CASE("images of a build: those that hold it first, then older ones", "[compat]") {
    const auto images = images_of(matrix(), build("2.9.0+cu130"), "3.10");
    REQUIRE(images.size() == 3);
    CHECK(images[0]->id == "image-torch-130");
    CHECK(image_name(*images[0]) == "some/torch:2.9-cu130");
    CHECK(images[1]->id == "image-torch-124");
    CHECK(images[2]->id == "image-torch-own");
}
