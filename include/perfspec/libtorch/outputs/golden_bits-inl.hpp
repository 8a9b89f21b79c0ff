// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/bits-inl.hpp>
#include <perfspec/libtorch/outputs/verify-inl.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>

#include <ATen/Parallel.h>
#include <torch/version.h>

#include <string>
#include <string_view>
#include <utility>

namespace perfspec::detail {

/// The FNV-1a of a tensor's bytes, in the order of the elements: "output 1, float32[1,1000]: 9ae16a3b2f90404f".
inline std::string fingerprint_of(const named_tensor& x) {
    if (!x.value.defined()) return called(x) + ": undefined";
    const at::Tensor values = laid_out(x.value);
    return called(x) + ", " + described(x.value) + ": " +
           fnv1a({static_cast<const char*>(values.const_data_ptr()), values.nbytes()});
}

inline std::string maker_of_bits(const torch_body& body) {
    const int threads = body.settings.threads.value_or(at::get_num_threads());
    const std::string where = body.device.is_cpu() ? std::to_string(threads) + " threads"
                                                   : c10::DeviceTypeName(body.device.type(), /*lower_case=*/true);
    return std::string{"LibTorch "} + TORCH_VERSION + ", " + where;
}

/// Adds the fingerprints of the candidate's outputs to the verification. Bits that differ in the next run cannot be
/// kept.
inline verification with_fingerprints(torch_body& candidate, verification found, verifying_conditions& conditions) {
    const outcome first = run_once(candidate, conditions);
    const outcome second = first.thrown ? first : run_once(candidate, conditions);
    if (second.thrown) {
        const verification fault = fault_of_candidate(second);
        return {fault.code, fault.text, std::move(found.statistics)};
    }
    if (const std::string difference = bit_difference(first.results, second.results); !difference.empty())
        return {verification_code::verifier_didnt_run,
                "golden outputs were asked for, and two runs of the candidate differ\n" + difference,
                std::move(found.statistics)};
    for (const named_tensor& each : second.results) found.fingerprints.push_back(fingerprint_of(each));
    found.made_by = maker_of_bits(candidate);
    return found;
}

}  // namespace perfspec::detail
