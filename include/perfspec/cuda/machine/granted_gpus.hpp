// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <string>
#include <vector>

namespace perfspec {

/// The GPUs that ctest granted to this test by its resource specification (ctest --resource-spec-file).
struct granted_gpus {
    std::vector<std::string> ids{};  ///< as that file names them; none where ctest granted none
    std::string visible{};  ///< the same in the words of CUDA_VISIBLE_DEVICES: "2", or "0,3", or "GPU-8932f937-…"
    std::string fault{};    ///< why a name means no GPU; empty where each does

    friend bool operator==(const granted_gpus&, const granted_gpus&) = default;
};

namespace detail {

/// Reads what ctest granted. A name is the unique name of a GPU as `resource_id_of` writes it, or the number of a GPU
/// among those that CUDA_VISIBLE_DEVICES shows.
///
/// Source: "Resource Allocation" in the manual of ctest, with the variables CTEST_RESOURCE_GROUP_<n> and
/// CTEST_RESOURCE_GROUP_<n>_GPUS.
[[nodiscard]] granted_gpus read_granted_gpus(const environment& variables);

/// Reads what ctest granted, and shows this process and those that it starts no other GPU. Before main, because CUDA
/// reads the variable when it is first used. In a process that perfspec started for a claim it is nothing: its parent
/// has set the variable.
[[nodiscard]] granted_gpus grant_of_this_process();

/// The unique name of a GPU, "GPU-8932f937-…" or "MIG-…", as a name that ctest allows: lowercase letters, digits and
/// underscores.
[[nodiscard]] std::string resource_id_of(const std::string& uuid);

}  // namespace detail
}  // namespace perfspec
