// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/shared_library.hpp>

#include <dlfcn.h>

namespace perfspec::detail {

shared_library::shared_library(const std::string& name) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    const char* const why = ::dlerror();
    fault_ = why == nullptr ? name + " is not there" : why;
}

void* shared_library::address(const char* name) const noexcept {
    return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

}  // namespace perfspec::detail
