// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/workers/worker_channel.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// A worker's first message, sent when it has reached its claim.
struct worker_greeting {
    std::string perfspec;    ///< version of its library
    std::string key;         ///< of the claim that it reached
    std::string unit;        ///< of the query's value: "ns", "items/s"
    double work{};           ///< per iteration, for rates; 0 elsewhere
    std::string commit;      ///< of its sources, where its build knows it (PERFSPEC_COMMIT)
    std::string hardware{};  ///< key of the hardware that it runs on; empty where it does not say
    std::string runs{};      ///< what a process of its own runs for the subject, such as a file of Python; empty: the
                             ///< subject is in C++
};

/// The name of the suite that starts a worker. A build of another program has another one.
struct own_suite {
    std::string name;  ///< empty: any suite will do
    bool told{};  ///< whether the project set it; else it is the program's file name, which a renamed build does not
                  ///< share
};

/// The settings that a worker found before it takes samples.
struct worker_calibration {
    subject_calibration x;
    std::uint64_t max_iterations{1};  ///< at most so many in one sample
    double resolution_ns{};           ///< of the worker's clock
};

/// One process of any build that measures on request. The other side is `launch/serve_claim-inl.hpp`; README.md
/// describes the messages.
///
///     worker reference(launcher, command, "the reference build", 60s);
///     if (!reference.greeting(key, {"sort_test", true})) …         // it ended without coming to this claim
///     reference.prepare();
///     const sample taken = reference.run(5, warm_call::yes);
///
/// Each failure throws measurement_failure with the process's last words, as worker_channel says.
class worker {
public:
    /// who       its name in messages
    /// patience  for each answer
    /// Throws input_error as `process_launcher::start` does.
    worker(process_launcher& launcher, const child_command& command, std::string who,
           std::chrono::nanoseconds patience);

    /// Waits until the worker has reached the claim with this key. Nothing when it ended well without reaching it.
    /// A worker of another suite is a failure where both projects set theirs, or where the worker did not reach the
    /// claim.
    [[nodiscard]] std::optional<worker_greeting> greeting(std::string_view key, const own_suite& own);
    /// The keys of all claims that a worker passed, after `greeting` found that it did not stop at one.
    [[nodiscard]] const std::vector<std::string>& keys_passed() const noexcept { return keys_passed_; }

    /// Discards a first call, then times calls.
    [[nodiscard]] worker_calibration prepare();
    /// core  where to take it; nothing leaves that to the system
    [[nodiscard]] sample run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core = {});
    /// Measures like one launch of a baseline; returns the record of it as a line of JSON.
    [[nodiscard]] std::string launch();
    /// Lets the worker end, and waits for that.
    void finish();

private:
    void require_suite(const worker_message& found, const own_suite& own) const;

    std::shared_ptr<void> belongings_;  // goes last
    worker_channel channel_;
    std::vector<std::string> keys_passed_;
};

}  // namespace perfspec
