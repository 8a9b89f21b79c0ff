// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <dlfcn.h>

namespace perfspec::detail {

/// A library that is loaded while the program runs, where the machine has it. It stays loaded until the process ends: a
/// driver does not survive being unloaded.
class shared_library {
public:
    /// name  as the dynamic linker finds it ("libcuda.so.1", by LD_LIBRARY_PATH too), or a path
    explicit shared_library(const std::string& name) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ != nullptr) return;
        const char* const why = ::dlerror();
        fault_ = why == nullptr ? name + " is not there" : why;
    }

    /// Why it is not there, in the words of the dynamic linker; empty where it is.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

    /// Points a function pointer to the function of that name, or to nothing where the library has none.
    template <class Function> void find(const char* name, Function*& into) const noexcept {
        void* const address = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
        into = reinterpret_cast<Function*>(address);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): dlsym(3)
    }

private:
    void* handle_{};
    std::string fault_{};
};

}  // namespace perfspec::detail
