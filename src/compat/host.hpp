/// The host of a request in terms of the matrix: cards with architectures, platform, driver, C library.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compat/facts.hpp"
#include "compat/request.hpp"
#include "model/gpu_names.hpp"

namespace vmatrix::compat {

/// One card, or several that cannot be told apart and need not be.
struct Card {
    std::string name;                            ///< as asked
    std::string vendor;                          ///< "nvidia", "amd"
    const Fact* architecture = nullptr;
    const Fact* generation = nullptr;            ///< may be null
    std::vector<const Fact*> gpus;               ///< models that the name means; empty when only an architecture was named
    bool embedded = false;
    std::optional<Version> capability;           ///< NVIDIA's compute capability

    /// "sm_120 (Blackwell)"
    [[nodiscard]] std::string title() const;
    /// "rx7900 means Radeon RX 7900 XTX, Radeon RX 7900 XT, all gfx1100 (RDNA 3)"
    [[nodiscard]] std::string meaning() const;
    /// Whether all models are of this class.
    [[nodiscard]] bool is_class(std::string_view wanted) const;
};

struct Branch {
    Version number;
    const Fact* fact = nullptr;
};

/// A release of CUDA that brings a driver.
struct CudaBundle {
    const Fact* release = nullptr;
    Version cuda, driver;
};

struct Host {
    std::vector<Card> cards;
    std::string vendor;                          ///< of the cards; empty without cards, "mixed" for several
    std::string platform;                        ///< "linux-x86_64"
    bool windows_driver = false;                 ///< Windows or WSL2: driver numbers are those of Windows
    bool wsl = false;
    std::string driver_component;                ///< "nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin"
    std::vector<Branch> branches;                ///< of that component, oldest first
    std::vector<CudaBundle> cuda_bundles;        ///< with a driver of that component, in file order
    std::optional<Version> driver, kernel, glibc;
    std::string os_name;                         ///< "ubuntu:24.04" as asked; may be empty
    std::string user_space;                      ///< the system that programs see: that of the image, else `os_name`; may be empty
    bool contained = false;                      ///< an image was named
    const Fact* os = nullptr;                    ///< os-release fact of `user_space`, if it is known
    const Fact* image = nullptr;                 ///< image fact, if one was named and it is known
    std::string python;                          ///< what the image or the system brings; may be empty
    std::vector<const Fact*> issues;             ///< known issues that may concern these cards on this system, whatever driver and Python
    std::vector<const Fact*> driver_issues;      ///< those that name the driver
    std::vector<const Fact*> python_issues;      ///< those that name Python
    std::vector<const Fact*> package_rules;      ///< rules about packages
    std::set<std::string, std::less<>> watched;  ///< components that those name
    std::vector<const Fact*> records;            ///< of what was tried on such cards, newest first
    std::vector<std::string> assumptions;        ///< what was not said or not understood
};

/// Reads the host part of a request. A name that spans architectures gives one host for each of them; several names that
/// do so are an error. Errors: unknown names and unreadable versions, with suggestions.
[[nodiscard]] base::Result<std::vector<Host>> read_hosts(const Matrix& matrix, const Request& request);

/// Fills in what the matrix knows of the host's driver component, read once as every rule about drivers asks for it.
void read_drivers(const Matrix& matrix, Host& host);
/// Fills in the issues, rules and records that may concern these cards on this system.
void read_issues(const Matrix& matrix, Host& host);
/// The request and its host without the image, or without the system; what programs see changes with them.
void leave_image(const Matrix& matrix, Request& request, Host& host);
void leave_system(const Matrix& matrix, Request& request, Host& host);
/// The request and its host on another system of the same kind.
void change_system(const Matrix& matrix, Request& request, Host& host, const std::string& os);
/// Fills in what programs see: in a container that is the image's, else the host's.
void read_user_space(const Matrix& matrix, const Request& request, Host& host);

}  // namespace vmatrix::compat
