// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec {

/// What decides a GPU's speed and stays the same until somebody sets it up anew, and what identifies it.
struct gpu_facts {
    /// "NVIDIA H100 80GB HBM3". A slice of a GPU has its MIG profile behind that: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
    std::string name{};
    std::string uuid{};                ///< "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", of a slice "MIG-…"
    std::string pci_bus_id{};          ///< "0000:3b:00.0"; of a slice that of its GPU
    std::string compute_capability{};  ///< "9.0"
    std::uint64_t memory_bytes{};      ///< all of it that a program may use; 0: not told
    int multiprocessors{};             ///< 0: not told
    std::optional<bool> ecc{};
    bool is_slice{};             ///< of a GPU with MIG
    std::string cuda_version{};  ///< the newest CUDA that the driver can run: "13.0"

    friend bool operator==(const gpu_facts&, const gpu_facts&) = default;
};

/// The facts of one GPU, or why they cannot be had.
struct gpu_identity {
    gpu_facts facts{};
    std::string fault{};  ///< empty where the facts are there
};

/// How many GPUs a program can use, or why there are none.
struct gpu_count {
    int gpus{};
    std::string fault{};  ///< empty where there are some
};

}  // namespace perfspec
