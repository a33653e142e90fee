#include "unit/inputs/support.hpp"

namespace {

using namespace vmatrix::inputs;

Inputs docker(std::string_view text) { return read("Dockerfile", text); }

TEST_CASE("Dockerfile: the image below the last stage", "[inputs]") {
    CHECK(said(docker("FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n").image) == "1:1 nvidia/cuda:12.4.1-runtime-ubuntu22.04");
    CHECK(said(docker("# syntax=docker/dockerfile:1\nARG TAG=12.4.1\nARG BASE=nvidia/cuda:${TAG}-base\nFROM golang:1.22 AS tool\nFROM --platform=linux/amd64 $BASE AS Base\n"
                      "RUN true\nFROM base\nCOPY --from=tool /a /b\n").image) == "5:1 nvidia/cuda:12.4.1-base");
    CHECK(said(docker("ARG V\nFROM a:${V:-1.2}\n").image) == "2:1 a:1.2");
    CHECK(said(docker("ARG V\nFROM a:${V-1.3} as x\nfrom 0\n").image) == "2:1 a:1.3");
    const auto unknown = docker("ARG V\nFROM a:$V\n");
    CHECK(!unknown.image);
    CHECK(notes(unknown) == Texts{"2:1 `a:$V` is left out: a variable in it has no value here"});
    CHECK(notes(docker("FROM scratch\n")) == Texts{"1:1 scratch is no image: nothing follows from it"});
    CHECK(said(read("build/Containerfile.gpu", "FROM x\n").image) == "1:1 x");
    CHECK(said(read("noname", "FROM x\n").image) == "1:1 x");
}

TEST_CASE("Dockerfile: an image of Python tells the Python", "[inputs]") {
    CHECK(said(docker("FROM docker.io/library/python:3.11-slim\n").python) == "1:1 ==3.11.*");
    CHECK(said(docker("FROM python:3.11.9\n").python) == "1:1 ==3.11.9.*");
    CHECK(said(docker("FROM python:3\n").python).empty());
    CHECK(said(docker("FROM mypython:3.11\n").python).empty());
}

TEST_CASE("Dockerfile: what pip installs in the final stages", "[inputs]") {
    const auto inputs = docker(
        "FROM a AS unused\nRUN pip install nothing==1\nFROM b AS base\nARG TORCH=2.6.0\nENV EXTRA=\"torchvision==0.21.0\" PIP_NO_CACHE_DIR=1\n"
        "RUN apt-get update && \\\n    # a comment\n    pip3 install --no-cache-dir torch==${TORCH} $EXTRA \\\n      --index-url https://example.org/whl/cu124 -r requirements.txt && echo done > /dev/null\n"
        "FROM base\nRUN --mount=type=cache,target=/root/.cache PIP_X=1 /opt/venv/bin/python3 -m pip install -U 'numpy<2' 2>/dev/null; uv pip install --python /x einops\n"
        "RUN [\"pip\", \"install\", \"scipy==1.11\"]\nRUN pip download pandas\nRUN pip install $WHAT . \"a b\"\n");
    CHECK(wishes(inputs) == Texts{"8:33 torch==2.6.0 (cu124)", "8:49 torchvision==0.21.0 (cu124)", "11:92 numpy<2", "11:142 einops", "12:24 scipy==1.11"});
    CHECK(said(inputs.image) == "3:1 b");
    CHECK(notes(inputs) == Texts{"9:7 builds are taken to be cu124, as the index `https://example.org/whl/cu124` says", "9:49 requirements.txt is not read: name it with --from too",
                                 "14:17 `$WHAT` is left out: a variable in it has no value here", "14:23 `.` is left out: it does not tell a package and its version",
                                 "14:25 `a b` is left out: expected one of == >= <= ~= != < > behind the name, found `b`"});
}

TEST_CASE("Dockerfile: what conda installs, what is uninstalled, and what is not read", "[inputs]") {
    const auto inputs = docker(
        "FROM a\nRUN pip install torch==2.5.0 Flash_Attn==2.7 vllm && pip uninstall -y flash-attn apex\n"
        "RUN conda install -y -c pytorch -n base 'pytorch::torchvision=0.20' pytorch-cuda=12.4 python=3.11 --file x.txt [bad]\n"
        "RUN mamba run -n base pip install triton==3.1.0\nRUN micromamba create -n x \"numpy>=2\"\n"
        "RUN poetry add jax && uv sync && uv pip sync a.txt && conda env create -f e.yml && uv run add && pipenv install x\n");
    CHECK(wishes(inputs) == Texts{"2:17 torch==2.5.0", "2:46 vllm", "3:41 torchvision==0.20.*", "3:69 pytorch-cuda==12.4.*", "4:35 triton==3.1.0", "5:28 numpy>=2"});
    CHECK(said(inputs.python) == "3:87 ==3.11.*");
    const auto unread = [](const std::string& what) { return "`" + what + "` is not read: name its file with --from too, or what it installs with --with"; };
    CHECK(notes(inputs) == Texts{"2:82 `apex` is uninstalled: what the image holds is judged as if it were not", "3:99 x.txt is not read: name it with --from too",
                                 "3:112 `[bad]` is left out: `` is no package that pip could have", "6:12 " + unread("poetry add"), "6:26 " + unread("uv sync"), "6:41 " + unread("pip sync"),
                                 "6:61 " + unread("conda env"), "6:105 " + unread("pipenv install")});
}

TEST_CASE("Dockerfile: ENV is for later stages too, ARG is not", "[inputs]") {
    const auto inputs = docker("ARG V=1\nFROM a AS base\nARG V\nARG W=2\nENV X $V\nRUN pip install p==$V q==$W\nFROM base\nARG W\nRUN pip install r==$X s==$V t==$W\n");
    CHECK(wishes(inputs) == Texts{"6:17 p==1", "6:23 q==2", "9:17 r==1"});
    CHECK(notes(inputs) == Texts{"9:23 `s==$V` is left out: a variable in it has no value here", "9:29 `t==$W` is left out: a variable in it has no value here"});
}

TEST_CASE("Dockerfile: values made of values stay small, and rare forms have none", "[inputs]") {
    std::string text = "FROM a\nENV V=12345678\n";
    for (int i = 0; i < 64; ++i) text += "ENV V=$V$V\n";
    CHECK(wishes(docker(text + "RUN pip install p\n")) == Texts{"67:17 p"});
    CHECK(!docker("ARG A=1\nFROM a:${B:-${A}}\n").image);
    CHECK(!docker("ARG A=1\nFROM a:${A%1}\n").image);
    CHECK(!docker("ARG A=1\nFROM a:${A\n").image);
}

TEST_CASE("Dockerfile: a bound without quotes is a redirection", "[inputs]") {
    const auto inputs = docker("FROM a\nRUN pip install torch>=2.6 numpy\n");
    CHECK(wishes(inputs) == Texts{"2:17 torch", "2:28 numpy"});
    CHECK(notes(inputs) == Texts{"2:17 `torch` stands without its versions: without quotes the shell takes `>` and `<` for redirections"});
}

TEST_CASE("Dockerfile: here-documents and another escape character", "[inputs]") {
    const auto inputs = docker("FROM a\nRUN <<EOF\n# pip install no\nset -e\npip install torch==2.6.0\nEOF\nRUN pip install numpy\nCOPY <<-\"END\" /x\nRUN pip install no\nEND\n");
    CHECK(wishes(inputs) == Texts{"5:13 torch==2.6.0", "7:17 numpy"});
    CHECK(wishes(docker("# escape=`\nFROM a\nRUN pip install `\n  torch==2.6.0\n")) == Texts{"4:3 torch==2.6.0"});
    CHECK(wishes(docker("FROM a\nRUN pip install <<EOF torch\n")).size() == 1);   // without an end
}

TEST_CASE("Dockerfile: mistakes have a place", "[inputs]") {
    CHECK(refused("Dockerfile", "RUN x\n") == "Dockerfile:1:1: expected a line with FROM");
    CHECK(refused("Dockerfile", "") == "Dockerfile:1:1: expected a line with FROM");
    CHECK(refused("Dockerfile", "FROM\n") == "Dockerfile:1:1: expected FROM image, or FROM image AS name");
    CHECK(refused("Dockerfile", "\n  FROM a b\n") == "Dockerfile:2:3: expected FROM image, or FROM image AS name");
}

}  // namespace
