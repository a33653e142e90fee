// What is asked for its level alone has the level of what would be said, for all pairs of some packages of the shipped matrix.
#include "support/catch.hpp"
#include <map>

#include "app/matrix_folder.hpp"
#include "compat/relations.hpp"
#include "compat/rules/rules.hpp"

using namespace vmatrix;
using namespace vmatrix::compat;

namespace {

Request asked(const std::string& gpu) {
    Request request;
    request.gpus = {gpu};
    request.environment = {{"HSA_OVERRIDE_GFX_VERSION", "10.3.0"}};
    return request;
}

void compare(const Question& question, const Choice& one, const Choice& other) {
    const Link link = link_of(question, one, other);
    const auto left = alike(link, one), right = alike(link, other);
    std::map<std::pair<std::size_t, std::size_t>, Level> known;
    std::size_t wrong = 0, unlike = 0;
    for (std::size_t a = 0; a < one.candidates.size(); ++a)
        for (std::size_t b = 0; b < other.candidates.size(); ++b) {
            const Candidate &first = one.candidates[a], &second = other.candidates[b];
            if (needs_level(first, second) != worst(needs_with_package(first, second))) ++wrong;
            const Level level = worst(link_with_package(question, link, first, second));
            if (link_level(question, link, first, second) != level) ++wrong;
            if (known.try_emplace({left[a], right[b]}, level).first->second != level) ++unlike;
        }
    INFO(one.wish.name << " with " << other.wish.name);
    CHECK(wrong == 0);
    CHECK(unlike == 0);
}

}  // namespace

TEST_CASE("levels are those of the judgements", "[compat]") {
    const auto loaded = app::load_matrix(VMATRIX_SOURCE_DIR "/matrix");
    REQUIRE(loaded.has_value());
    for (const std::string gpu : {"rtx2080", "rx6700"}) {
        const Request request = asked(gpu);
        const auto hosts = read_hosts(loaded->matrix, request);
        REQUIRE(hosts.has_value());
        const Question question(loaded->matrix, hosts->front(), request);
        Judged judged;
        std::vector<Choice> choices;
        for (const std::string package : {"torch", "vllm", "flash-attn", "bitsandbytes", "triton", "jax"}) choices.push_back({{package, package, {}}, false, all_candidates(question, package, turns_on(question), judged)});
        std::size_t linked = 0;
        for (const Choice& one : choices)
            for (const Choice& other : choices)
                if (one.wish.name < other.wish.name) {
                    compare(question, one, other);
                    linked += link_of(question, one, other).issues.size();
                }
        CHECK(linked > 0);
    }
}

TEST_CASE("what was judged for one request serves another that differs in a wish only", "[compat]") {
    const auto loaded = app::load_matrix(VMATRIX_SOURCE_DIR "/matrix");
    REQUIRE(loaded.has_value());
    const auto texts = [](const std::vector<Candidate>& candidates) {
        std::string text;
        for (const Candidate& candidate : candidates)
            for (const Judgement& judgement : candidate.judgements) text += candidate.version + " " + std::string(to_string(judgement.level)) + " " + judgement.reason.text + "\n";
        return text;
    };
    const auto all = [&](const Request& request, Judged& judged) {
        const auto hosts = read_hosts(loaded->matrix, request);
        REQUIRE(hosts.has_value());
        const Question question(loaded->matrix, hosts->front(), request);
        return texts(all_candidates(question, "torch", turns_on(question), judged));
    };
    const auto spec = [](const std::string& text) { return *parse_spec(text); };
    Request base = asked("rtx4090");
    base.os = "ubuntu:24.04";
    base.specs = {spec("torch==2.6.0+cu124")};
    std::vector<Request> others(9, base);
    others[0].specs = {};
    others[1].python = "3.9";
    others[2].driver = "535.161.08";
    others[3].specs = {spec("torch==2.6.0+cpu")};
    others[4].specs.push_back(spec("cuda==12.8"));
    others[5].image = "nvidia/cuda:12.4.1-base-ubuntu22.04";
    others[6].os = "ubuntu:18.04";
    others[7].environment.clear();
    others[8].gpus = {"gtx1080"};
    Judged judged;
    (void)all(base, judged);
    for (std::size_t i = 0; i < others.size(); ++i) {
        INFO("request " << i);
        Judged fresh;
        CHECK(all(others[i], judged) == all(others[i], fresh));
    }
    CHECK(judged.candidates.size() == 7);   // the first three differ in nothing that a candidate turns on
}
