// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace perfspec::detail {

/// A library that is loaded while the program runs, where the machine has it. It stays loaded until the process ends: a
/// driver does not survive being unloaded.
class shared_library {
public:
    /// name  as the dynamic linker finds it ("libcuda.so.1", by LD_LIBRARY_PATH too), or a path
    explicit shared_library(const std::string& name);

    /// Why it is not there, in the words of the dynamic linker; empty where it is.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

    /// Points a function pointer to the function of that name, or to nothing where the library has none.
    template <class Function> void find(const char* name, Function*& into) const noexcept {
        into = reinterpret_cast<Function*>(
            address(name));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): dlsym(3) means that
    }

private:
    [[nodiscard]] void* address(const char* name) const noexcept;

    void* handle_{};
    std::string fault_{};
};

}  // namespace perfspec::detail
