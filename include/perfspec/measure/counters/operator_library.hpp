// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace perfspec {

/// The operators of one namespace, each name once whatever its overloads: "aten" with "abs", "add".
struct operator_namespace {
    std::string name;
    std::vector<std::string> operators;  ///< sorted
};

/// All operators that a tensor library knows in this process: what a suite's profiles are held against.
struct operator_library {
    std::string library;  ///< "LibTorch 2.13.0"
    std::vector<operator_namespace> namespaces{};
};

}  // namespace perfspec
