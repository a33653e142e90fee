#include "model/gpu_names.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/text.hpp"

namespace vmatrix::model {
namespace {

constexpr std::string_view separators = " \t-_()/,";
constexpr std::size_t most_suggestions = 3;

/// Lower case without separators: "GeForce RTX 4090" -> "geforcertx4090".
std::string squash(std::string_view text) {
    std::string result = base::lower(text);
    std::erase_if(result, [](char c) { return separators.find(c) != std::string_view::npos; });
    return result;
}

/// In lower case, without the signs that tools put into names: trade marks, blanks that do not break.
std::string without_signs(std::string_view text) {
    std::string result = base::lower(text);
    for (const std::string_view sign : {"(r)", "(tm)", "®", "™", "\u00A0", "\u202F"})
        for (auto at = result.find(sign); at != std::string::npos; at = result.find(sign, at)) result.replace(at, sign.size(), " ");
    return result;
}

/// "gfx90a:sramecc+:xnack-", as rocminfo says it -> "gfx90a".
std::string_view without_features(std::string_view target) {
    const auto parts = base::split(target, ':');
    const bool features = std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) { return part.ends_with('+') || part.ends_with('-'); });
    return features ? parts.front() : target;
}

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

class Names {
public:
    explicit Names(const Matrix& matrix) : matrix_(matrix) {
        for (const Fact* vendor : matrix.of("vendor"))
            for (const std::string_view word : vendor->texts("words")) {
                words_.insert(word);
                auto [known, fresh] = vendor_of_word_.emplace(word, vendor->id);
                if (!fresh) known->second = {};   // several vendors use it: it tells nothing
            }
    }

    GpuMatch find(std::string_view written) const {
        const std::string plain = without_signs(written);
        const std::string_view text = base::trim(plain);
        GpuMatch match = by_pci(text);
        if (match.gpus.empty()) match = by_architecture(text);
        if (match.gpus.empty()) match = by_family(squash(text));
        if (match.gpus.empty()) match = by_full_name(text);
        if (match.gpus.empty()) match = by_family(bare(text));
        if (match.gpus.empty()) match = by_alias(text);
        drop_other_vendors(text, match);
        if (match.gpus.empty()) match.suggestions = suggestions(text);
        for (const Fact* gpu : match.gpus)
            if (const auto name = gpu->text("architecture"); std::ranges::find(match.architectures, name) == match.architectures.end())
                match.architectures.push_back(name);
        return match;
    }

private:
    /// "nvidia 580" is no Radeon RX 580.
    void drop_other_vendors(std::string_view text, GpuMatch& match) const {
        const std::string small = base::lower(text);
        for (const auto& [word, vendor] : vendor_of_word_) {
            const auto at = small.find(word);
            const auto boundary = [&](std::size_t i) { return i >= small.size() || separators.find(small[i]) != std::string_view::npos; };
            if (vendor.empty() || at == std::string::npos || (at > 0 && !boundary(at - 1)) || !boundary(at + word.size())) continue;
            std::erase_if(match.gpus, [only = vendor](const Fact* gpu) { return gpu->text("vendor") != only; });
        }
        if (match.gpus.empty()) match = {};
    }

    /// The same without the vendors' product words: "GeForce RTX 4090" -> "rtx4090". Empty when only such words are left.
    std::string bare(std::string_view text) const {
        return without_prefix(base::join(words_of(text), ""));
    }

    /// In lower case, without the vendors' product words.
    std::vector<std::string> words_of(std::string_view text) const {
        std::vector<std::string> words;
        const std::string small = base::lower(text);
        for (auto begin = small.find_first_not_of(separators); begin != std::string::npos;) {
            const auto end = std::min(small.find_first_of(separators, begin), small.size());
            std::string word = small.substr(begin, end - begin);
            if (!words_.contains(word)) words.push_back(std::move(word));
            begin = small.find_first_not_of(separators, end);
        }
        return words;
    }

    /// Product words glued to the name: "teslav100" -> "v100".
    std::string without_prefix(std::string name) const {
        for (const std::string_view word : words_)
            if (name.size() > word.size() && name.starts_with(word)) return without_prefix(name.substr(word.size()));
        return name;
    }

    GpuMatch where(GpuMatch::By by, auto predicate) const {
        GpuMatch match;
        for (const Fact* gpu : matrix_.of("gpu"))
            if (predicate(*gpu)) match.gpus.push_back(gpu);
        if (!match.gpus.empty()) match.by = by;
        return match;
    }

    GpuMatch with_pci(std::string_view id) const {
        return where(GpuMatch::By::pci, [&](const Fact& gpu) {
            const auto ids = gpu.texts("pci");
            return std::ranges::find(ids, id) != ids.end();
        });
    }

    GpuMatch by_pci(std::string_view text) const {
        const std::string id = base::lower(text);
        const bool device_only = id.size() == 9;
        if (!is_pci_id(id)) return {};
        if (GpuMatch exact = with_pci(id); !exact.gpus.empty() && !device_only) return exact;
        const std::string device = id.substr(0, 9);
        if (GpuMatch plain = with_pci(device); !device_only && !plain.gpus.empty()) return plain;
        return where(GpuMatch::By::pci, [&](const Fact& gpu) {
            return std::ranges::any_of(gpu.texts("pci"), [&](std::string_view known_id) { return known_id.starts_with(device); });
        });
    }

    GpuMatch by_architecture(std::string_view text) const {
        const std::string wanted = squash(without_features(text));
        if (wanted.empty()) return {};
        const auto matches = [&](const Fact& architecture) {
            const auto capability = architecture.text("compute-capability");
            const bool compiled = !capability.empty() && wanted == squash("compute" + architecture.id.substr(architecture.id.find('_') + 1));   // nvcc's name
            return squash(architecture.id) == wanted || capability == text || compiled;
        };
        std::unordered_set<std::string_view> ids;
        for (const Fact* architecture : matrix_.of("architecture"))
            if (matches(*architecture)) {
                ids.insert(architecture->id);
                if (const auto same = architecture->text("same-as"); !same.empty()) ids.insert(same);
            }
        return where(GpuMatch::By::architecture, [&](const Fact& gpu) { return ids.contains(gpu.text("architecture")); });
    }

    GpuMatch by_full_name(std::string_view text) const {
        const std::string wanted = squash(text);
        return where(GpuMatch::By::name, [&](const Fact& gpu) {
            return gpu.id == text || squash(gpu.text("name")) == wanted || squash(gpu.text("vendor")) + squash(gpu.text("name")) == wanted;
        });
    }

    GpuMatch by_family(const std::string& wanted) const {
        for (const Fact* family : matrix_.of("gpu-name")) {
            if (squash(family->text("name")) != wanted) continue;
            GpuMatch match;
            match.by = GpuMatch::By::family;
            match.family = family;
            for (const std::string_view id : family->texts("gpus"))
                if (const Fact* gpu = matrix_.find("gpu", id)) match.gpus.push_back(gpu);
            return match;
        }
        return {};
    }

    GpuMatch by_alias(std::string_view text) const {
        const std::string wanted = squash(text), short_form = bare(text);
        if (wanted.empty()) return {};
        const auto named = [&](std::string_view name) {
            return squash(name) == wanted || (!short_form.empty() && (bare(name) == short_form || squash(name) == short_form));
        };
        return where(GpuMatch::By::name, [&](const Fact& gpu) {
            return named(gpu.text("name")) || std::ranges::any_of(gpu.texts("aliases"), named);
        });
    }

    /// The models whose names differ in the fewest words, with half of the text's and a number in common: "rtx 3060 12GB" -> RTX 3060.
    std::vector<std::string> with_the_same_words(std::string_view text) const {
        const auto wanted = words_of(text);
        std::vector<std::tuple<std::size_t, std::size_t, std::string_view>> found;   // words that differ, that lack, name
        for (const Fact* gpu : matrix_.of("gpu")) {
            const auto words = words_of(gpu->text("name"));
            const auto shared = [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); };
            const auto common = static_cast<std::size_t>(std::ranges::count_if(wanted, shared));
            const bool number = std::ranges::any_of(wanted, [&](const std::string& word) { return has_digit(word) && shared(word); });
            const std::size_t lacking = wanted.size() - common;
            if (number && lacking <= common) found.emplace_back(lacking + words.size() - std::min(common, words.size()), lacking, gpu->text("name"));
        }
        std::ranges::stable_sort(found, {}, [](const auto& entry) { return std::pair(std::get<0>(entry), std::get<1>(entry)); });
        std::vector<std::string> names;
        for (const auto& [difference, lacking, name] : found)
            if (names.size() < most_suggestions && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
        return names;
    }

    /// Those with the letters before the number, the nearest number first: "rtx9999" -> rtx5090.
    static std::vector<std::string> of_the_series(const std::string& wanted, const std::vector<std::string>& keys) {
        constexpr std::size_t least = 2, longest = 64;   // letters that mean something, a name that somebody could type
        const auto letters = wanted.find_first_of("0123456789");
        if (letters == std::string::npos || letters < least || wanted.size() > longest) return {};
        std::vector<std::string> found;
        std::ranges::copy_if(keys, std::back_inserter(found), [&](const std::string& key) { return key.find_first_of("0123456789") == letters && key.starts_with(wanted.substr(0, letters)); });
        std::ranges::stable_sort(found, {}, [&](const std::string& key) { return base::edit_distance(wanted, key); });
        return found;
    }

    std::vector<std::string> suggestions(std::string_view text) const {
        if (auto names = with_the_same_words(text); !names.empty()) return names;
        std::vector<std::string> keys;
        std::unordered_map<std::string, std::string> shown;
        const auto offer = [&](std::string key, std::string_view name) {
            if (shown.emplace(key, name).second) keys.push_back(std::move(key));
        };
        for (const Fact* family : matrix_.of("gpu-name")) offer(bare(family->text("name")), family->text("name"));
        for (const Fact* gpu : matrix_.of("gpu")) {
            offer(bare(gpu->text("name")), gpu->text("name"));
            for (const std::string_view alias : gpu->texts("aliases")) offer(bare(alias), gpu->text("name"));
        }
        for (const Fact* architecture : matrix_.of("architecture")) offer(squash(architecture->id), architecture->id);
        const std::vector<std::string_view> views(keys.begin(), keys.end());
        const std::string wanted = bare(text).empty() ? squash(text) : bare(text);
        std::vector<std::string> names;
        const auto add = [&](const std::string& key) {
            const std::string& name = shown.at(key);
            if (names.size() < most_suggestions && std::ranges::find(names, name) == names.end()) names.push_back(name);
        };
        std::ranges::for_each(base::nearest(wanted, views, 5), add);
        if (names.empty() && wanted.size() >= 3)   // part of a name, such as `titan`
            for (const std::string& key : keys)
                if (key.find(wanted) != std::string::npos) add(key);
        if (names.empty()) std::ranges::for_each(of_the_series(wanted, keys), add);
        return names;
    }

    const Matrix& matrix_;
    std::unordered_set<std::string_view> words_;
    std::unordered_map<std::string_view, std::string_view> vendor_of_word_;
};

}  // namespace

bool is_pci_id(std::string_view text) {
    const auto hex = [](std::string_view part, std::size_t length) { return part.size() == length && part.find_first_not_of("0123456789abcdef") == std::string_view::npos; };
    const auto pair = [&](std::string_view part) { return part.size() == 9 && part[4] == ':' && hex(part.substr(0, 4), 4) && hex(part.substr(5), 4); };
    const auto rest = text.substr(std::min<std::size_t>(text.size(), 9));
    return pair(text.substr(0, 9)) && (rest.empty() || (rest[0] == ':' && hex(rest.substr(1), 2)) || (rest[0] == '/' && pair(rest.substr(1))));
}

bool begins_as_pci_id(const Matrix& matrix, std::string_view text) {
    const std::string id = base::lower(base::trim(text));
    return std::ranges::any_of(matrix.of("vendor"), [&](const Fact* vendor) { return id.starts_with(std::string(vendor->text("pci")) + ":"); });
}

bool is_broken_pci_id(const Matrix& matrix, std::string_view text) { return begins_as_pci_id(matrix, text) && !is_pci_id(base::lower(base::trim(text))); }

GpuMatch find_gpus(const Matrix& matrix, std::string_view text) { return Names(matrix).find(text); }

}  // namespace vmatrix::model
