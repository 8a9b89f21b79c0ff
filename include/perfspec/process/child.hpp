// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/launcher.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// Names one evaluation of a claim: the claim's key, and the number of partial runs that entered the same section path
/// before (generators, loops).
struct claim_address {
    std::string key;
    unsigned occurrence{};

    friend bool operator==(const claim_address&, const claim_address&) = default;
};

/// The task of a child: repeat a violated claim, measure one process of several, or serve requests for measurements
/// (README.md).
/// `measure_later`: a process after the bodies of the assertions before the claim, which children otherwise skip.
enum class child_task : std::uint8_t { confirm, measure, serve, measure_later };

/// Which subject a process measures, for a claim that compares two subjects in separate processes.
enum class compared_side : std::uint8_t { first, second };

/// The number of the result pipe in every child that `posix_launcher` starts.
inline constexpr int child_result_descriptor = 3;
/// The number of the pipe from which a child that serves reads its requests.
inline constexpr int child_request_descriptor = 4;

/// The version of the request and of the messages of a child that serves. Both ends are usually one binary, but a
/// baseline build can be another.
inline constexpr unsigned child_protocol_version = 4;

/// The complete request to a child: measure this one claim with this plan, and write the evidence to this descriptor.
struct child_request {
    claim_address address;
    child_task task{child_task::confirm};
    std::uint64_t seed{};
    plan_message plan{};  ///< the resolved plan
    int result_descriptor{child_result_descriptor};
    int request_descriptor{child_request_descriptor};  ///< for a child that serves
    compared_side side{compared_side::first};
    std::optional<tolerance_end> end{};  ///< which side of a tolerance to judge
    /// The claims after which the parent left the test case: a failed PERF_REQUIRE leaves it. A child must leave there,
    /// too. Otherwise it would count the claims of other generator values, and measure the wrong one.
    std::vector<claim_address> abandoned_claims{};
    unsigned version{child_protocol_version};

    friend bool operator==(const child_request&, const child_request&) = default;
};

/// The environment variables of a child: those of `base`, with PERFSPEC_CHILD set to the request. A child learns its
/// task only from there.
///
///     PERFSPEC_CHILD={"version":4,"task":"confirm","claim":{"key":"sort / latency(sort)","occurrence":0},…}
///
/// base  usually `at_program_start().environment`; an earlier request in it is replaced
[[nodiscard]] std::vector<std::pair<std::string, std::string>> child_environment(
    std::vector<std::pair<std::string, std::string>> base, const child_request& request);

/// The request in an environment; nullopt if PERFSPEC_CHILD is not set. Throws input_error for a request that is no
/// such message or has another version; the text names both versions. Unknown fields are refused: a child that does not
/// understand the whole request must not answer it.
[[nodiscard]] std::optional<child_request> read_child_request(const environment& variables);

/// Prepares this process for its work as a child. Call it once, as early as possible and before other threads start.
/// Use the returned request from then on.
///
/// - The pipes move to descriptors of 100 and more, away from those that code under test closes and opens.
/// - The child dies when its parent dies (PERFSPEC_PARENT has its id).
/// - Processes that it starts inherit neither the pipes nor the request.
[[nodiscard]] child_request become_child(child_request request, const environment& variables);

/// Sends the result, one line of JSON, to the parent and ends the process at once: no destructors, no exit handlers, no
/// flushing. If it cannot write the result, it prints a line on standard error and exits with code 1.
[[noreturn]] void reply_and_exit(const child_request& request, std::string_view result);

/// Sends an answer, one line of JSON, and returns: for a child that serves requests. Ends the process if it cannot
/// write.
void answer(const child_request& request, std::string_view line);

/// Reads the requests of a child that serves, each a line without its end; nullopt if the parent has ended.
class request_reader {
public:
    explicit request_reader(const child_request& request) noexcept : descriptor_(request.request_descriptor) {}
    [[nodiscard]] std::optional<std::string> next();

private:
    int descriptor_;
    std::string pending_;
};

/// Reads the answer of a child, one line. It must be complete and alone on the result pipe, because code under test can
/// find that pipe and write to it. Other bytes are a fault, and so is an exit code other than 0.
[[nodiscard]] child_answer parse_answer(const child_end& end);

/// Removes the first answer from bytes that are still arriving: nullopt while they can become a line with an object of
/// JSON, a fault once they cannot. Whoever reads the fields finds other faults.
[[nodiscard]] std::optional<child_answer> take_answer(std::string& bytes);

}  // namespace perfspec::inline v0_2
