#include "matrix/grammar.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace vmatrix::matrix;
using vmatrix::model::Field;
using vmatrix::model::Type;
using Texts = std::vector<std::string_view>;

TEST_CASE("what some version of YAML does not read as text when it is plain", "[grammar]") {
    const Texts typed{// null, booleans and special words of YAML 1.1 and 1.2
                      "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "yes", "Yes", "YES", "no", "No", "on", "On", "off", "OFF",
                      "y", "Y", "n", "N", "=", "<<",
                      // integers
                      "0", "1", "-1", "+1", "42", "0755", "007", "0o17", "0O17", "0b101", "0x1F", "0XaB", "-0x1f", "1_000", "0x_1", "0b1_0",
                      // floats
                      "3.10", "3.1", "0.5", ".5", "-.5", "+.5", "5.", "1e3", "1E3", "1e+3", "1e-3", "2e12", "1.5e300", "12e03", "6.02_2", ".inf",
                      "-.inf", "+.INF", ".nan", ".NaN",
                      // sexagesimal
                      "1:20", "190:20:30", "190:20:30.15", "-1:20",
                      // dates and times
                      "2025-11-11", "2025-1-1", "2025", "2025-11", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5",
                      "2001-12-15T02:59:43.1Z",
                      // versions are not always numbers, but one who writes them so will write 3.10 next
                      "12.8.1", "570.124.06", "1.2.3.4", "9.10.2.21"};
    for (const auto text : typed) {
        INFO(text);
        CHECK(mistyped_when_plain(text));
    }
    // clang-format off
    const Texts plain{// names, signs, numbers with letters, versions with letters
        "torch", "cuda", "sm_90", "gfx1100", "linux-x86_64", "rx7900", "GeForce RTX 4090", "A100", "e", "e5", "E1", "-",
        "+", ".", "..", "a", "x", "0xg", "0x", "yes and no", "none", "nil", "Nope", "online", "2.9.1+cu128", "v1.0",
        "1.0rc1", "2.6a0", "4090 D", "48GB", "10de", "6.8 GA", "manylinux_2_28", "cp312", "_1", "-x", "10k", "~x", "=x",
        "0.9.x", "nullable", "infinite"
    };
    // clang-format on
    for (const auto text : plain) {
        INFO(text);
        CHECK(!mistyped_when_plain(text));
    }
}

struct Row {
    Type type;
    Texts good, bad;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {Type::id,
         {"a", "7900xt", "torch-2.9.1+cu128", "nvidia/cuda:12.8.1", "a_b", "0"},
         {"", "A", "a b", "-a", "_a", ".a", "+a", "/a", ":a", "a#b", "a@b", "é", "a,b", "a\n", "a*"}},
        {Type::reference, {"sm_90", "gfx1100"}, {"", "SM_90", "sm 90"}},
        {Type::field_name, {"memory-gib", "date"}, {"", "Memory"}},
        {Type::text, {"a", " a ", "größe", "two\nlines"}, {"", " ", "\n \n"}},
        {Type::integer,
         {"7", "12345678901234567"},
         {"", "0", "-7", "-", "+7", "007", "00", "1.0", "1e3", "0x10", "1_000", " 1", "1 ", "123456789012345678", "seven"}},
        {Type::number,
         {"24", "1.5", "0.5", "24.0"},
         {"", "0", "0.0", "-0.5", "-24", "-", ".5", "5.", "1e3", "024", "00.5", "1.5.1", "0x18", "inf", "1,5", "24GiB", "+1"}},
        {Type::boolean, {"true", "false"}, {"", "True", "yes", "no", "on", "1", "truee"}},
        {Type::date,
         {"2025", "2025-01", "2025-12", "2025-11-11", "2024-02-29", "2000-02-29", "2025-02-28", "1990-01-01", "2099-12-31", "2025-04-30"},
         {"",           "25",         "1989",       "2100",       "2025-13",    "2025-00",       "2025-1",        "2025-1-01",  "2025-11-1",
          "2025-11-00", "2025-11-31", "2025-02-29", "2025-02-30", "2025-04-31", "2025-11-11-11", "2025-11-11T00", "11.11.2025", "2025/11/11",
          "2025-",      "2025-11-",   "-2025",      "20251111",   " 2025",      "2025-aa",       "+025",          "2025-+1"}},
        {Type::url,
         {"https://example.org", "https://example.org/a?b=c#d", "https://localhost:8080", "https://download.pytorch.org/whl/cu128", "https://例え.jp/"},
         {"", "https://", "https:///a", "https://.", "https://?a", "http://example.org", "example.org", "ftp://example.org", "javascript:alert(1)", "HTTPS://EXAMPLE.ORG", "https://a b.org",
          "https://example.org/\"", "https://example.org/<b>", "https://example.org/`", "//example.org"}},
        {Type::repository,
         {"pytorch/pytorch", "ROCm/ROCm", "a/b.c-d_e", "0/1"},
         {"", "pytorch", "../b", "a/..", "./b", "a/b/c", "/b", "a/", "a b/c", "https://github.com/a/b", "a/b#c", "é/b"}},
        {Type::citation, {"vendor-page", "pytorch/pytorch#RELEASE.md@2026-08", "a#b c", "a#b#c"}, {"", "#", "#page", "A", "a#", "a# ", "a b"}},
        {Type::version, {"2.9.1", "1.0rc1", "c8757738", "6.8.0-45-generic"}, {"", "2.9 1", " 2.9"}},
        {Type::version_map, {"12.8.1"}, {"", "12.8 or newer"}},
        {Type::version_set, {">=2.6,<2.8", "*", ">=1 || ==0.9.*"}, {""}},
        {Type::set_map, {">=12,<13"}, {""}},
        {Type::dotted, {"12", "12.8", "570.124.06"}, {"", "v12", "a", "12 8", ".5"}},
        {Type::kernel, {"6.8", "6.14 HWE", "5.17 OEM", "6.8 GA"}, {"", "six", "6.8 GA kernel", "HWE 6.8", "6.8 ", "6.8  GA", "6.8 +"}},
        {Type::os,
         {"ubuntu", "ubuntu:24.04", "rhel:9.4", "opensuse-leap:15.6", "sles:15-sp6"},
         {"", "Ubuntu", "ubuntu 24.04", "ubuntu:", ":24.04", "ubuntu:24.04 LTS", "ubuntu:24:04", "ubuntu:Noble"}},
        {Type::python, {"3.13", "3.13t", "2.7", "3.9", "3.0"}, {"", "3.013", "03.1", "3.00", "3", "3.", ".3", "3.13.1", "cp313", "3.13T", "t", "3.t", "py3", "3.1 3"}},
        {Type::platform,
         {"linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64"},
         {"", "linux", "-x86_64", "linux-", "Linux-x86_64", "linux/amd64", "linux-x86-64", "x86_64-linux", "linux-amd64", "linux-x86", "windows-aarch64"}},
        {Type::pci_vendor, {"10de", "1002", "0000"}, {"", "10DE", "10d", "10dee", "10dg", "0x10", "nvidia"}},
        {Type::pci,
         {"10de:2684", "1002:744c:c8", "10de:20b0/10de:1450", "0000:0000"},
         {"", "10de", "10de:", ":2684", "10DE:2684", "10de:268", "10de:26845", "10de:2684:c", "10de:2684:c80", "10de:2684:", "10de:2684/10de",
          "10de:2684/10de:145", "10de:2684:c8/10de:1450", "10de:20b0/10de:1450/10de:1450", "0x10de:0x2684", "10de-2684", "10de:268g", "1:2:c8"}},
        {Type::digest,
         {"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
         {"", "sha256:", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
          "sha256:0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
          "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
          "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
          "sha512:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}},
        {Type::requirement,
         {"nvidia-cudnn-cu12==9.1.0.70", "a>=1", "a[extra]==1", "a ==1", "a~=1", "a!=1", "a<2"},
         {"", "==1", "nvidia-cudnn-cu12", " a==1", "a/b==1", "a;b==1"}},
        {Type::index, {"pypi", "pytorch-cu128", "https://download.pytorch.org/whl/cu128"}, {"", "PyPI", "a b", "https://a b", "https://", "http://example.org/whl", "ftp://a"}},
        {Type::environment,
         {"", "1", "10.3.0", "/opt/rocm", "a:b,c", "gfx1030", "-1", "<4", "KEY=value"},
         {"a b", "$HOME", "`id`", "a;b", "a|b", "a&b", "\"", "'", "\\", "a\nb", "*", "~", "é", "(x)", "#"}}};
    return all;
}

TEST_CASE("each type takes its texts and no others", "[grammar]") {
    for (const auto& [type, good, bad] : rows()) {
        Field field;
        field.name = "f";
        field.type = type;
        field.target = "gpu";
        for (const auto text : good) {
            INFO(static_cast<int>(type) << " takes \"" << text << "\"");
            CHECK(fits(field, text));
        }
        for (const auto text : bad) {
            INFO(static_cast<int>(type) << " refuses \"" << text << "\"");
            CHECK(!fits(field, text));
        }
        CHECK(!expectation(field).empty());
    }
}

TEST_CASE("a word is one of its field's words", "[grammar]") {
    Field field;
    field.name = "class";
    field.type = Type::word;
    field.words = {"consumer", "datacenter"};
    CHECK(fits(field, "consumer"));
    for (const std::string_view text : {"", "Consumer", "consumer ", "consumerdatacenter", "con"}) CHECK(!fits(field, text));
    CHECK(expectation(field) == "one of `consumer`, `datacenter`");
}

TEST_CASE("only numbers and booleans stand without quotes", "[grammar]") {
    for (const Type type : {Type::integer, Type::number, Type::boolean}) CHECK(is_plain_type(type));
    for (const Type type : {Type::id, Type::text, Type::date, Type::version, Type::dotted, Type::python, Type::pci}) CHECK(!is_plain_type(type));
}

TEST_CASE("every field of every kind has an expectation to show", "[grammar]") {
    for (const auto& kind : vmatrix::model::kinds())
        for (const Field& field : kind.fields) {
            INFO(kind.name << "." << field.name);
            CHECK(!expectation(field).empty());
        }
}

}  // namespace
