// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/worker_message.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// What a worker says when it stands at its claim.
struct worker_greeting {
    std::string perfspec;  ///< version of its library
    std::string key;       ///< of the claim that it stands at
    std::string unit;      ///< of the query's value: "ns", "items/s"
    double work{};         ///< of one iteration, for rates; 0 elsewhere
    std::string commit;    ///< of its sources, where its build was told (PERFSPEC_COMMIT)
};

/// The name of the program that starts a worker, which a build of another program does not have.
struct own_suite {
    std::string name;  ///< empty: it does not matter
    bool told{};       ///< by the project; else it is the program's file name, and a build that was renamed has another
};

/// What a worker settled before it is asked for samples.
struct worker_calibration {
    subject_calibration x;
    std::uint64_t max_iterations{1};  ///< that one sample may have
    double resolution_ns{};           ///< of its clock
};

/// One process of some build that measures what it is asked for: the other side is `launch/serve_claim-inl.hpp`, the messages are in README.md.
///
///     worker reference(launcher, command, "the reference build", 60s);
///     if (!reference.greeting(key, {"sort_test", true})) …         // it ended without coming to this claim
///     reference.prepare();
///     const sample taken = reference.run(5, warm_call::yes);
///
/// Everything that goes wrong throws measurement_failure (failure_kind::worker_failed; failure_kind::out_of_memory where its end, its last words
/// or its reason tell of that), with the process's last words, and the process is ended: with this object at the latest.
class worker {
public:
    /// who: what to call it in messages.  patience: for each answer.  Throws input_error as `process_launcher::start` does.
    worker(process_launcher& launcher, const child_command& command, std::string who, std::chrono::nanoseconds patience);

    /// Waits until it stands at the claim with this key. Nothing when it ended well without coming there.
    /// A worker of another suite is a failure: where both projects told theirs, and where it did not come to the claim.
    [[nodiscard]] std::optional<worker_greeting> greeting(std::string_view key, const own_suite& own);
    /// The keys of all claims that a worker came by, after `greeting` found that it did not stop at one.
    [[nodiscard]] const std::vector<std::string>& keys_passed() const noexcept { return keys_passed_; }

    /// Discards a first call, then times calls.
    [[nodiscard]] worker_calibration prepare();
    /// core: where to take it; nothing leaves that to the system.
    [[nodiscard]] sample run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core = {});
    /// Measures as one launch of a baseline does; the record of it as a line of JSON.
    [[nodiscard]] std::string launch();
    /// Lets it end, and waits for that.
    void finish();

private:
    [[nodiscard]] worker_message ask(const worker_message& request, std::string_view expected);
    [[nodiscard]] worker_message next_message();
    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void throw_unexpected(const worker_message& found, std::string_view expected) const;
    void require_suite(const worker_message& found, const own_suite& own) const;

    std::string who_;
    std::chrono::nanoseconds patience_;
    std::unique_ptr<running_process> process_;
    std::vector<std::string> keys_passed_;
};

}  // namespace perfspec
