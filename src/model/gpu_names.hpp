/// What GPUs a text means: a marketing name, an alias, a family, a PCI id, an architecture, a compute capability.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/matrix.hpp"

namespace vmatrix::model {

struct GpuMatch {
    enum class By { nothing, pci, architecture, name, family };

    By by = By::nothing;
    std::vector<const Fact*> gpus;                  ///< in file order
    const Fact* family = nullptr;                   ///< the gpu-name that was matched, for By::family
    std::vector<std::string_view> architectures;    ///< of `gpus`, without repeats; more than one: the name spans architectures
    std::vector<std::string> suggestions;           ///< nearest known names; only when nothing matched

    [[nodiscard]] bool ambiguous() const { return architectures.size() > 1; }
};

/// "10de:2684", with a revision "1002:744c:c8", or with subsystem "10de:20b0/10de:1450"; lower case.
[[nodiscard]] bool is_pci_id(std::string_view text);
/// Whether it begins with the PCI id of a vendor and a colon, as nothing else does.
[[nodiscard]] bool begins_as_pci_id(const Matrix& matrix, std::string_view text);
/// Whether it begins so but is no PCI id; then `pci_id_forms` is the hint.
[[nodiscard]] bool is_broken_pci_id(const Matrix& matrix, std::string_view text);
inline constexpr std::string_view pci_id_forms = "write 10de:2684, with a revision 1002:744c:c8, or with a subsystem 10de:20b0/10de:1450";

/// Case, blanks, hyphens and the vendors' product words do not count. Tried in this order: PCI id (the most exact of
/// revision, subsystem, bare id wins), architecture, family name as it is, full name, family name without product words,
/// alias. So `h100` is the family although a model has that very name, and `Radeon RX 7600` is the model, not its family.
[[nodiscard]] GpuMatch find_gpus(const Matrix& matrix, std::string_view text);

}  // namespace vmatrix::model
