#include "model/schema.hpp"

#include <array>

namespace vmatrix::model {
namespace {

/// What a field holds: a plain type, or one with a target or a list of words.
struct Holds {
    Type type;
    std::string_view target = {};
    std::vector<std::string_view> words = {};
    Type key = Type::platform, item = Type::text;
    Holds(Type plain) : type(plain) {}   // NOLINT(google-explicit-constructor): a plain type is a Holds
    Holds(Type what, std::string_view kind, std::vector<std::string_view> allowed) : type(what), target(kind), words(std::move(allowed)) {}
};
Holds lists_by(Type key, const Holds& item) {
    Holds map{Type::list_map, item.target, {}};
    map.key = key;
    map.item = item.type;
    return map;
}
Holds by_platform(const Holds& item) { return lists_by(Type::platform, item); }
Holds ref(std::string_view kind) { return {Type::reference, kind, {}}; }
Holds nested(std::string_view kind) { return {Type::facts, kind, {}}; }
Holds words(std::vector<std::string_view> allowed) { return {Type::word, {}, std::move(allowed)}; }

Field required(std::string_view name, Holds holds, std::string_view about) {
    return {name, holds.type, false, true, holds.target, std::move(holds.words), about, holds.key, holds.item};
}
Field optional(std::string_view name, Holds holds, std::string_view about) {
    return {name, holds.type, false, false, holds.target, std::move(holds.words), about, holds.key, holds.item};
}
Field required_list(std::string_view name, Holds holds, std::string_view about) {
    return {name, holds.type, true, true, holds.target, std::move(holds.words), about, holds.key, holds.item};
}
Field list(std::string_view name, Holds holds, std::string_view about) {
    return {name, holds.type, true, false, holds.target, std::move(holds.words), about, holds.key, holds.item};
}

std::vector<Kind> make_kinds() {
    using enum Type;
    const Holds gpu_class = words({"consumer", "workstation", "datacenter", "embedded", "apu"});
    const Holds libc = words({"glibc", "musl", "none"});
    const Holds open_module = words({"impossible", "possible", "required"});
    return {
        {"source", "sources", "", false, "where a statement was read",
         {
             required("title", text, "what it is"),
             optional("address", url, "page"),
             optional("repository", repository, "GitHub repository"),
             optional("revision", text, "commit, tag or state that was read"),
             optional("read", date, "day on which it was read"),
             required("trust", words({"measurement", "vendor", "project", "report", "weak"}),
                    "read off the artefact itself; the maker's statement; an open project's table; somebody's report; not traceable"),
         },
         {}},
        {"vendor", "vendors", "", false, "a maker of GPUs",
         {
             required("title", text, "name for people"),
             required("pci", pci_vendor, "as the cards of this maker report it"),
             list("words", id, "product words that people leave out or add, in lower case"),
             optional("visible-devices", text, "variable that chooses among its cards in a host"),
         },
         {}},
        {"component", "components", "", false, "something that has versions and takes part in a stack",
         {
             required("title", text, "name for people"),
             required("scheme", words({"pep440", "dotted", "opaque"}), "how its versions compare"),
             optional("about", text, "what the number counts"),
             list("aliases", text, "what people type for it though no package is named so"),
             optional("installed-by", words({"pip", "itself"}), "what installs it; absent: pip"),
             list("packages", text, "packages of pip or conda that install it under another name"),
             list("endings", id, "last parts of the names of packages that are made for this runtime; a number in one is the major version"),
             optional("tells", ref("component"), "the runtime whose release follows from a version of this one, as its releases bundle it"),
         },
         {}},
        {"generation", "generations", "", true, "a hardware generation and the drivers that serve it",
         {
             required("title", text, "name for people"),
             required("vendor", ref("vendor"), "maker"),
             optional("drivers", set_map, "driver versions that serve it"),
             optional("open-kernel-module", open_module, "whether NVIDIA's open kernel modules drive it"),
         },
         {}},
        {"architecture", "architectures", "", true, "what a GPU executes: `sm_90`, `gfx1100`, or a generic target",
         {
             required("vendor", ref("vendor"), "maker"),
             optional("generation", ref("generation"), "hardware generation"),
             optional("compute-capability", dotted, "NVIDIA's number"),
             optional("embedded", boolean, "Tegra: its code and that of discrete GPUs do not substitute for each other"),
             list("covers", ref("architecture"), "for a generic target: the architectures that run its code"),
             optional("same-as", ref("architecture"), "another name of the same hardware"),
         },
         {}},
        {"gpu", "gpus", "", true, "a GPU model",
         {
             required("vendor", ref("vendor"), "maker"),
             required("name", text, "marketing name, without the maker"),
             list("aliases", text, "further names people type; case, blanks and hyphens do not count"),
             list("pci", pci, "PCI ids; one with a revision or subsystem outranks a bare one"),
             required("architecture", ref("architecture"), "what it executes"),
             optional("class", gpu_class, "market"),
             list("memory-gib", number, "memory in GiB as sold; several where one name covers several sizes"),
             optional("codename", text, "chip"),
             optional("machine", platform, "platform it is built into, where there is one only"),
         },
         {}},
        {"gpu-name", "gpu-names", "{name}", true, "a name that means several models",
         {
             required("name", id, "the name, lower case without blanks"),
             required_list("gpus", ref("gpu"), "models it may mean"),
             optional("differ", text, "in what they differ"),
         },
         {}},
        {"driver-branch", "driver-branches", "{component}-{branch}", true, "a line of driver releases",
         {
             required("component", ref("component"), "which driver"),
             required("branch", dotted, "number of the line"),
             optional("support", words({"long-term", "production", "new-feature", "legacy", "evaluation"}), "kind of support"),
             optional("cuda", dotted, "newest CUDA that it knows, major.minor"),
             optional("first", dotted, "first release"),
             optional("latest", dotted, "newest release seen"),
             optional("end", date, "end of support"),
             optional("open-kernel-module", words({"none", "optional", "default"}), "what the packages offer"),
         },
         {}},
        {"release", "releases", "{component}-{version}", true, "one version of a component",
         {
             required("component", ref("component"), "of what"),
             required("version", version, "which"),
             optional("date", date, "day of release"),
             optional("end", date, "end of support"),
             optional("stream", words({"production", "preview"}), "`newest` skips previews"),
             optional("line", text, "parallel line of releases that it belongs to"),
             optional("commit", text, "commit it was built from"),
             list("os", os, "operating system it brings or needs"),
             list("boards", text, "boards it is made for"),
             optional("bundles", version_map, "versions of other components inside it"),
             optional("requires", set_map, "versions of other components that it needs"),
             optional("companions", version_map, "versions of separate packages that belong to it"),
             optional("host-compilers", text, "compilers that it accepts"),
             list("python", python, "Pythons it is built for"),
             list("experimental-python", python, "Pythons with experimental builds"),
             optional("experimental-python-on", by_platform(python), "the list on a platform where it differs"),
             list("platforms", platform, "platforms it is built for"),
             optional("platform-tag", ref("platform-tag"), "wheel platform tag on Linux"),
             optional("cxx11-abi", boolean, "built with the C++11 ABI of libstdc++"),
             optional("cxx-standard", text, "C++ standard that extensions need"),
             optional("no-isolation", boolean, "true: what it needs is installed first, and pip is told `--no-build-isolation`"),
             optional("default-build", text, "build that a bare version means on PyPI"),
             list("builds", nested("build"), "binary variants"),
         },
         {}},
        {"build", "", "{parent}+{build}", true, "one binary variant of a release",
         {
             required("build", id, "local label, `cu128`"),
             required("accelerator", words({"cuda", "rocm", "xpu", "cpu", "any"}), "what it runs on; `any`: on whatever the packages that it needs run on"),
             list("index", index, "where it is found: `pypi`, the id of a wheel index, or an address"),
             optional("index-on", by_platform(index), "the list on a platform where it differs"),
             optional("selector", text, "extra that picks the device code, as for pip"),
             optional("stream", words({"production", "preview"}), "`newest` skips previews"),
             optional("compiled", boolean, "true: pip compiles it on the host"),
             optional("environment", environment, "variables to set while it is installed and while it runs"),
             optional("no-isolation", boolean, "true: what it needs is installed first, and pip is told `--no-build-isolation`"),
             optional("built-with", version_map, "libraries that it was compiled against; what runs may be newer"),
             optional("bundles", version_map, "runtime and libraries it carries or pins"),
             optional("requires", set_map, "versions of other components that it needs"),
             list("pins", requirement, "packages it pins, as its metadata says"),
             optional("companions", version_map, "versions of separate packages that belong to it"),
             list("architectures", ref("architecture"), "what it has code for"),
             optional("architectures-on", by_platform(ref("architecture")), "the list on a platform where it differs"),
             list("ptx", ref("architecture"), "what it has PTX for; `[]` is none, absent is unknown"),
             optional("ptx-on", by_platform(ref("architecture")), "the list on a platform where it differs"),
             list("python", python, "Pythons it is built for"),
             list("experimental-python", python, "Pythons with experimental builds"),
             optional("experimental-python-on", by_platform(python), "the list on a platform where it differs"),
             list("platforms", platform, "platforms it is built for"),
             optional("platform-tag", ref("platform-tag"), "wheel platform tag on Linux"),
             optional("cxx11-abi", boolean, "built with the C++11 ABI of libstdc++"),
             list("unknown", field_name, "fields that are not known here and so not inherited"),
         },
         {"python", "experimental-python", "experimental-python-on", "platforms", "platform-tag", "cxx11-abi", "companions", "requires", "no-isolation", "source"}},
        {"rule", "rules", "", true, "what follows from versions that are present",
         {
             required("when", set_map, "all of these are present"),
             required("requires", set_map, "then these must hold"),
             required("evidence", words({"supported", "reported", "expected"}), "how good an answer is that rests on it"),
             list("os", os, "only on these operating systems"),
         },
         {}},
        {"target", "targets", "", true, "architectures that a toolkit compiles for or a library has code for",
         {
             required("of", set_map, "component and versions"),
             list("architectures", ref("architecture"), "the architectures"),
             optional("compute-capability", version_set, "the same as a range, for NVIDIA"),
             required("complete", boolean, "false: others may exist"),
             optional("packaging", text, "which packages were looked into"),
         },
         {}},
        {"gpu-support", "gpu-support", "", true, "whether a vendor lists a GPU for a release",
         {
             required("of", set_map, "component and versions"),
             required("architecture", ref("architecture"), "what the GPU executes"),
             list("gpus", text, "products named; absent: the whole architecture"),
             required("status", words({"supported", "deprecated", "preview", "nightly", "unsupported"}), "what the list says"),
             list("os", os, "only on these"),
             list("not-os", os, "not on these; `rhel:9` stands for every release that begins so"),
             optional("scope", text, "a limit that `os` cannot say"),
             required("guide", text, "which of the vendor's lists"),
         },
         {}},
        {"os-support", "os-support", "", true, "whether a vendor lists an operating system for a release",
         {
             required("of", set_map, "component and versions"),
             required_list("os", os, "operating systems"),
             list("kernels", kernel, "kernels named with them"),
             optional("glibc", dotted, "glibc named with them"),
             required("status", words({"supported", "preview", "unsupported"}), "what the list says"),
             optional("scope", text, "GPUs or guides that the line is limited to"),
         },
         {}},
        {"documented", "documented", "", true, "versions that a vendor documents together",
         {
             required("of", set_map, "component and versions"),
             required("with", set_map, "versions documented with it"),
             optional("scope", text, "which page or guide"),
         },
         {}},
        {"override", "overrides", "", true, "an environment that makes a build run on hardware it lacks code for",
         {
             list("architectures", ref("architecture"), "on which hardware"),
             list("gpus", ref("gpu"), "only these models"),
             required("environment", environment, "variables to set"),
             optional("runs", ref("architecture"), "whose code runs then"),
             required("status", words({"reported", "no-effect", "disputed", "harmful"}), "what is known of it"),
             optional("condition", text, "when it was needed or helped"),
             list("platforms", platform, "where the variables are read"),
         },
         {}},
        {"driver-kernel", "driver-kernels", "{component}-{driver}-kernels", true, "kernels that a driver's module builds on",
         {
             required("component", ref("component"), "which driver"),
             required("driver", dotted, "release of the driver"),
             optional("module", dotted, "its module version"),
             optional("works-to", dotted, "newest kernel that is known to work"),
             optional("fails-from", dotted, "first kernel that is known to fail"),
             required("basis", text, "what the newest good kernel rests on"),
         },
         {}},
        {"forward-compatibility", "forward-compatibility", "", true, "a package that runs newer CUDA on older driver branches",
         {
             required("cuda", dotted, "CUDA that it brings, major.minor"),
             list("branches", ref("driver-branch"), "installed branches it works on"),
             list("classes", text, "GPU classes that it serves"),
             optional("image-check", lists_by(dotted, text), "by branch: brands that the start check of the image lets through (`any`: all); not the same as being served"),
             optional("latest", text, "package version seen"),
         },
         {}},
        {"issue", "issues", "", true, "a known issue: what goes wrong where all of its conditions hold",
         {
             required("severity", words({"blocks", "warns", "info"}), "does not work; works, but with trouble that most users meet; worth knowing"),
             required("layer", words({"hardware", "firmware", "kernel", "driver", "container", "runtime", "framework", "application", "packaging", "host-config"}), "where the cause lies"),
             required("text", text, "what happens; one sentence"),
             optional("advice", text, "what to do; a sentence, no commands"),
             optional("when", set_map, "components that take part, with versions; `*`: any"),
             list("vendors", ref("vendor"), "only with a card of one of these"),
             list("architectures", ref("architecture"), "only with a card of one of these"),
             list("gpus", ref("gpu"), "only with one of these models"),
             list("classes", gpu_class, "only with a card of one of these"),
             optional("cards", version_set, "how many cards are in the host"),
             list("os", os, "only on these operating systems; `ubuntu` stands for every release"),
             list("platforms", platform, "only on these"),
             optional("wsl", boolean, "true: only on WSL2; false: not there"),
             list("images", text, "only in images of these repositories, or in these very ones"),
             list("environment", text, "variables that are set: `NAME`, or `NAME=VALUE`"),
             list("not-environment", text, "variables none of which is set: `NAME`, or `NAME=VALUE`"),
             list("state", text, "what else must be so, which no request says: a person or a diagnosis decides"),
             optional("fixed-in", set_map, "versions without it"),
         },
         {}},
        {"record", "records", "", false, "smoke tests of one stack on one host, on one day",
         {
             required("date", date, "the day"),
             required("result", words({"passed", "failed"}), "of the tests together"),
             optional("failure", words({"framework", "numerics", "host"}), "what failed: the framework, its numbers, or something of this host"),
             required("host", id, "a word for the machine, the same in all its records, which tells nobody whose it is"),
             required("architecture", ref("architecture"), "of the card"),
             optional("gpu", ref("gpu"), "the model"),
             required_list("builds", ref("build"), "what was installed"),
             required("driver", version_map, "its kind and exact number"),
             required("os", os, "of the host"),
             optional("python", python, "minor version"),
             optional("image", text, "the container it ran in, with its digest"),
             list("environment", text, "variables that were set, `NAME=VALUE`"),
             list("tests", text, "which tests"),
         },
         {}},
        {"repair", "repairs", "", false, "a kind of change and what it costs whoever makes it",
         {
             required("title", text, "what is changed"),
             required("cost", integer, "repairs are offered cheapest first"),
         },
         {}},
        {"advice", "advice", "", true, "what a person should know before a stack is started on a host",
         {
             required("text", text, "a sentence; commands live in templates, not here"),
             list("vendors", ref("vendor"), "only for cards of these"),
             list("platforms", platform, "only on these"),
             optional("wsl", boolean, "true: only on WSL2, where the others are not shown"),
             list("architectures", ref("architecture"), "only for cards of these"),
             list("classes", gpu_class, "only for cards of these"),
             list("not-classes", gpu_class, "not for cards of these"),
             optional("open-kernel-module", open_module, "only for cards of which this holds"),
             optional("packages", set_map, "only where a build of one of these is chosen, in these versions"),
             optional("not-packages", set_map, "not where a build of one of these is chosen, in these versions"),
             list("builds", text, "only where a build with one of these labels or selectors is chosen"),
             optional("compiled", boolean, "true: only where pip compiles a package; false: only where it does not"),
         },
         {}},
        {"wheel-index", "wheel-indexes", "", true, "a place that serves wheels",
         {
             required("address", url, "for pip's --index-url"),
             optional("vendor", ref("vendor"), "whose GPUs"),
             optional("channel", words({"stable", "nightly", "prerelease", "staging", "frozen"}), "what it holds"),
             list("architectures", ref("architecture"), "what it covers"),
             optional("selector", text, "extra that picks the device code"),
             optional("searchable", boolean, "false: a page of files, which pip cannot search"),
             optional("beside-pypi", boolean, "true: it holds some packages only, and the rest comes from PyPI"),
             list("torch", text, "torch lines seen in it"),
             list("python", python, "Pythons seen in it"),
         },
         {}},
        {"os-release", "os-releases", "{os}-{version}", true, "a release of an operating system",
         {
             required("os", id, "ID of os-release"),
             required("version", id, "VERSION_ID of os-release"),
             optional("codename", text, "name"),
             optional("date", date, "day of release"),
             optional("end", date, "end of free support"),
             optional("extended-end", date, "end of paid or long-term support"),
             list("kernels", kernel, "kernel lines"),
             optional("libc", libc, "its C library where that is not glibc"),
             optional("bundles", version_map, "glibc, gcc, libstdc++ …"),
             optional("python", python, "the default python3"),
             list("other-python", python, "further Pythons in its archive"),
             optional("package-manager", text, "apt, dnf …"),
             list("image-tags", text, "what tags of images call it, where that is not its name: `ubi9`"),
         },
         {}},
        {"python-release", "python-releases", "python-{version}", true, "a minor version of Python",
         {
             required("version", python, "3.12"),
             optional("date", date, "day of release"),
             optional("bugfix-end", date, "end of bug fixes"),
             optional("end", date, "end of life"),
             optional("latest", text, "newest patch release seen"),
             optional("latest-date", date, "its day"),
             optional("free-threaded", text, "state of the build without the global lock"),
             list("abi-tags", text, "wheel tags"),
             optional("status", text, "phase"),
         },
         {}},
        {"platform-tag", "platform-tags", "", true, "a wheel platform tag and what it promises",
         {
             optional("alias-of", text, "PEP 600 name of the same"),
             required("libc", libc, "which C library"),
             optional("least-libc", dotted, "oldest C library"),
             optional("least-pip", dotted, "oldest pip that installs it"),
             optional("glibcxx", dotted, "newest GLIBCXX symbol allowed"),
             optional("gcc", dotted, "newest GCC symbol allowed"),
             optional("builder", text, "base system and compiler of its image"),
             list("machines", text, "processors"),
             optional("status", text, "state of its image"),
         },
         {}},
        {"image", "images", "", true, "container images that hold the same",
         {
             required("repository", text, "registry path; Docker Hub where no host is named"),
             required_list("tags", text, "tags"),
             optional("bundles", version_map, "what is inside"),
             optional("requires", set_map, "what it needs of the host"),
             optional("os", os, "base system"),
             optional("python", python, "its Python"),
             list("architectures", ref("architecture"), "what the package it is made for has code for, where that is not the wheel's list"),
             optional("architectures-on", by_platform(ref("architecture")), "the list on a platform where it differs"),
             list("ptx", ref("architecture"), "what that has PTX for; `[]` is none, absent is unknown"),
             list("platforms", platform, "platforms it is built for"),
             optional("moving", boolean, "the tags point to something else from time to time"),
             optional("status", words({"end-of-life", "never-built"}), "its maker has given it up, so that it may be gone from the registry; people name it but nobody built it"),
         },
         {}},
        {"digest", "digests", "{repository}:{tag}@{digest}", true, "what a tag pointed to",
         {
             required("repository", text, "registry path"),
             required("tag", text, "tag"),
             required("digest", digest, "content"),
             required("points-to", words({"index", "platform", "unknown"}), "an index of platforms, one platform's manifest"),
             optional("platform", platform, "which, for a platform manifest"),
             optional("seen", date, "first day on which the tag was seen to point there"),
             optional("last-seen", date, "last such day"),
             required("trust", words({"high", "medium", "low"}), "how sure"),
             optional("witnesses", integer, "independent public files that pin it"),
         },
         {}},
        {"claim", "", "", false, "a statement of another source that differs and does not count",
         {
             required("field", field_name, "field it is about"),
             required("value", text, "what it says"),
             required_list("source", citation, "who says so"),
             required("why", text, "why it does not count"),
         },
         {}},
    };
}

std::vector<Field> make_common() {
    using enum Type;
    return {
        list("source", citation, "citations; required, own or by defaults"),
        optional("note", text, "what a reader should know"),
        list("unconfirmed", field_name, "fields whose values were not read in a source"),
        list("derived", field_name, "fields whose values were worked out from read ones"),
        optional("derived-by", text, "how; as a default it holds for facts with `derived` only"),
        list("claims", nested("claim"), "statements of other sources that differ"),
    };
}

}  // namespace

std::span<const std::string_view> platforms() {
    static constexpr std::array<std::string_view, 8> all{"linux-x86_64", "linux-aarch64", "linux-ppc64le", "linux-s390x", "windows-x86_64", "windows-arm64", "macos-arm64", "macos-x86_64"};
    return all;
}

std::span<const Kind> kinds() {
    static const std::vector<Kind> all = make_kinds();
    return all;
}

std::span<const Field> common_fields() {
    static const std::vector<Field> all = make_common();
    return all;
}

const Kind* find_kind(std::string_view name) {
    for (const Kind& kind : kinds())
        if (kind.name == name || (!kind.section.empty() && kind.section == name)) return &kind;
    return nullptr;
}

const Field* Kind::field(std::string_view wanted) const {
    for (const Field& candidate : fields)
        if (candidate.name == wanted) return &candidate;
    for (const Field& candidate : common_fields())
        if (candidate.name == wanted) return &candidate;
    return nullptr;
}

}  // namespace vmatrix::model
