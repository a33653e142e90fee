// Rules 9 and 10: platform, Python, C library, companions; and what a wish for a build means.
#include "fixture.hpp"

using namespace compat_test;

TEST_CASE("platforms", "[compat]") {
    Host there = host("sm_86");
    CHECK(judge_platform(there, build("2.9.0+cu124")).level == Level::supported);
    there.platform = "windows-x86_64";
    CHECK(judge_platform(there, build("2.9.0+cu124")).level == Level::broken);
    CHECK(judge_platform(there, build("2.20.0+cu124")).level == Level::unknown);
}

TEST_CASE("Pythons; experimental ones are a workaround", "[compat]") {
    const Host there = host("sm_86");
    CHECK(judge_python(there, build("2.9.0+cu124"), "3.12").level == Level::supported);
    CHECK(judge_python(there, build("2.9.0+cu124"), "3.14").level == Level::workaround);
    CHECK(judge_python(there, build("2.9.0+cu124"), "3.9").level == Level::broken);
    CHECK(judge_python(there, build("2.20.0+cu124"), "3.9").level == Level::unknown);
}

TEST_CASE("C library", "[compat]") {
    const auto on = [](const char* os) {
        Request asked = request({"sm_86"});
        asked.os = os;
        return judge_libc(matrix(), host(asked), build("2.9.0+cu124"));
    };
    CHECK(on("ubuntu:24.04").level == Level::supported);
    CHECK(on("centos:7").level == Level::broken);
    CHECK(cites(on("centos:7"), "manylinux_2_28"));
    CHECK(on("windows:11").reason.text.empty());
    CHECK(on("alpine:3.22").level == Level::broken);
    CHECK(on("alpine:1").level == Level::unknown);
    CHECK(on("plan9:4").level == Level::unknown);
    CHECK(judge_libc(matrix(), host("sm_86"), build("2.9.0+cu124")).reason.text.empty());
}

TEST_CASE("C library of a build whose tag nobody read: that of its release, with less trust", "[compat]") {
    const auto on = [](const char* os) {
        Request asked = request({"RX 100"});
        asked.os = os;
        return judge_libc(matrix(), host(asked), build("2.9.0+rocm6.4")).level;
    };
    CHECK(on("ubuntu:24.04") == Level::expected);
    CHECK(on("centos:7") == Level::unknown);
    CHECK(on("alpine:3.22") == Level::broken);
}

TEST_CASE("a C library whose version nobody has read is told as such", "[compat]") {
    Request asked = request({"sm_86"});
    asked.os = "plan9:4";
    const auto judgement = judge_libc(matrix(), host(asked), build("3.0.0+cu124"));
    CHECK(judgement.level == Level::unknown);
    CHECK(judgement.reason.text == "torch 3.0.0+cu124 needs glibc of a version that nobody has read, and the matrix does not know the C library of plan9:4");
}

TEST_CASE("what is said of the host and changes nothing is told", "[compat]") {
    Request asked = request({"sm_86"});
    asked.environment = {{"FOO", "1"}};
    asked.kernel = "6.8";
    CHECK(host(asked).assumptions == std::vector<std::string>{"no fact of the matrix reads the variable FOO: it changes nothing", "nothing that the matrix knows of these cards turns on kernel 6.8: it changes nothing"});
    asked.environment = {{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"}};
    asked.kernel = "5.15-microsoft";   // tells WSL
    CHECK(host(asked).assumptions.empty());
    asked = request({"RX 100"});
    asked.kernel = "6.8";
    CHECK(host(asked).assumptions.empty());
}

TEST_CASE("macOS is a platform of wheels", "[compat]") {
    Request asked = request({"sm_86"});
    asked.os = "macos:15";
    CHECK(host(asked).platform == "macos-x86_64");
    CHECK(judge_platform(host(asked), build("2.9.0+cu124")).level == Level::broken);
    asked.gpus.clear();
    CHECK(host(asked).platform == "linux-x86_64");
}

TEST_CASE("systems are named in lower or upper case, and WSL beside the system in it", "[compat]") {
    const auto named = [](const char* os) {
        Request asked = request({"sm_86"});
        asked.os = os;
        return host(asked);
    };
    CHECK(named("Ubuntu:24.04").glibc == number("2.39"));
    CHECK(named("wsl2:ubuntu:24.04").glibc == number("2.39"));
    CHECK(named("wsl2:ubuntu:24.04").wsl);
    CHECK(named("wsl").wsl);
    CHECK(named("wsl").user_space.empty());
}

TEST_CASE("companions", "[compat]") {
    CHECK(judge_companion(matrix(), build("2.9.0+cu124"), *parse_spec("torchvision")).level == Level::supported);
    CHECK(judge_companion(matrix(), build("2.9.0+cu124"), *parse_spec("torchvision==0.24.0")).level == Level::supported);
    CHECK(judge_companion(matrix(), build("2.9.0+cu124"), *parse_spec("torchvision>=0.25")).level == Level::broken);
    CHECK(judge_companion(matrix(), build("2.9.0+cu124"), *parse_spec("torchaudio")).level == Level::unknown);
}

TEST_CASE("a library that a build carries may be replaced at one's own risk", "[compat]") {
    const Build cu130 = build("2.9.0+cu130");
    CHECK(judge_companion(matrix(), cu130, *parse_spec("cudnn==9.13")).level == Level::supported);
    CHECK(judge_companion(matrix(), cu130, *parse_spec("cudnn>=9")).level == Level::supported);
    CHECK(judge_companion(matrix(), cu130, *parse_spec("cudnn==9.1")).level == Level::workaround);
    CHECK(judge_companion(matrix(), build("2.9.0+cu124"), *parse_spec("cudnn==9.1")).level == Level::unknown);
}

TEST_CASE("the runtime in a label", "[compat]") {
    CHECK(runtime_of_label("cu128")->version == number("12.8"));
    CHECK(runtime_of_label("rocm6.2.4")->version == number("6.2.4"));
    CHECK_FALSE(runtime_of_label("cpu").has_value());
    CHECK_FALSE(runtime_of_label("abc12").has_value());
}

TEST_CASE("specs are read as pip reads them", "[compat]") {
    CHECK(parse_spec(" Torch_Vision >= 0.2 ")->name == "torch-vision");
    CHECK(parse_spec("torch[extra]>=2")->versions == ">=2");
    CHECK(parse_spec("torch==2.6.0+cu124")->versions == "==2.6.0+cu124");
    CHECK_FALSE(parse_spec("==2").has_value());
    CHECK_FALSE(parse_spec("").has_value());
    CHECK_FALSE(parse_spec("torch;rm").has_value());
}
