// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace perfspec {

/// The operators of one namespace: "aten" with "abs", "add". Each name appears once, whatever its overloads.
struct operator_namespace {
    std::string name;
    std::vector<std::string> operators;  ///< sorted
};

/// All operators that a tensor library knows in this process. A suite's profiles are compared with them.
struct operator_library {
    std::string library;  ///< "LibTorch 2.13.0"
    std::vector<operator_namespace> namespaces{};
};

}  // namespace perfspec
