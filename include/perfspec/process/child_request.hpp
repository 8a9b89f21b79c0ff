// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/process/claim_address.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// What a child is for: repeating a violated claim, one launch among several, or measuring what it is asked for (README.md).
enum class child_task : std::uint8_t { confirm, launch, serve };

/// The number of the result pipe in every child that `posix_launcher` starts.
inline constexpr int child_result_descriptor = 3;
/// Where a child that serves reads its requests.
inline constexpr int child_request_descriptor = 4;

/// The version of the request, of the answer and of a worker's messages. Both ends are mostly one binary; a reference build can be another.
inline constexpr unsigned child_protocol_version = 2;

/// What a child is asked: measure this one claim with this plan, write the evidence to this descriptor.
struct child_request {
    claim_address address;
    child_task task{child_task::confirm};
    std::uint64_t seed{};
    std::string plan;  ///< the resolved plan as text; not looked into here
    int result_descriptor{child_result_descriptor};
    int request_descriptor{child_request_descriptor};  ///< of a child that serves

    friend bool operator==(const child_request&, const child_request&) = default;
};

/// The variables of a child: those of `base`, with PERFSPEC_CLAIM, PERFSPEC_PLAN and PERFSPEC_CHILD set to the request.
///
///     PERFSPEC_CLAIM=suite / sort / latency(sort)#0
///     PERFSPEC_PLAN=…
///     PERFSPEC_CHILD=version=2 task=confirm seed=42 descriptor=3
///
/// base  usually `at_program_start().environment`; an earlier request in it is replaced
/// Throws input_error for an address or a plan that holds a NUL.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> child_environment(std::vector<std::pair<std::string, std::string>> base,
                                                                                 const child_request& request);

/// The request in an environment; nothing where none of the three variables is set.
/// Throws input_error where only some are, where one does not parse, or for another protocol version (naming both).
[[nodiscard]] std::optional<child_request> read_child_request(const environment& variables);

}  // namespace perfspec
