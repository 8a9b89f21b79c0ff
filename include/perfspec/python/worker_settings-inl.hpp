// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What a run asks of the subjects of workers: --perf-device, --perf-dtype, --perf-batch, --perf-threads.

#include <perfspec/language/subjects/asked_settings.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/python/worker_body.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::detail {

/// What is asked of a subject but for what its test declares: .axis("batch", 8) says that it runs so already.
inline setting_list undeclared(const subject_state& is, const asked_settings& asked) {
    setting_list all = asked.axes();
    std::erase_if(all, [&](const auto& each) {
        const bool has_axis =
            std::ranges::find(is.axes, each.first, &std::pair<std::string, std::string>::first) != is.axes.end();
        return has_axis && std::ranges::find(is.settings, each.first) == is.settings.end();
    });
    return all;
}

inline std::string value_in(const setting_list& settings, std::string_view name) {
    const auto found = std::ranges::find(settings, name, &std::pair<std::string, std::string>::first);
    return found == settings.end() ? std::string() : found->second;
}

/// Why a subject cannot be asked at all; empty where its worker decides.
inline std::string why_worker_stays(const subject_state& is, const subject_worker& worker, const setting_list& asked) {
    const std::string threads = value_in(asked, "threads");
    const std::string written = value_in(worker.recipe().command.environment, "OMP_NUM_THREADS");
    if (!threads.empty() && worker.recipe().has_own_threads && threads != written)
        return fmt::format(
            "this run asks for threads={} (--perf-threads), and the code gives {} threads={}, which stays: leave it out of the "
            "code, or the option out of the run",
            threads, worker.who(), written);
    if (!value_in(asked, "batch").empty() && (is.items != 0.0 || is.bytes != 0.0 || is.flops != 0.0))
        return "its items, bytes or flops are those of the batch in the code, and --perf-batch changes it: leave one of both out";
    return {};
}

/// Leaves to the worker what it can take: it says so when it loads the subject.
inline std::string take_worker_settings(const subject& x, const asked_settings& asked) {
    const auto& body = *static_cast<worker_body*>(x.storage());
    setting_list wanted = undeclared(x.state(), asked);
    if (std::string reason = why_worker_stays(x.state(), *body.worker, wanted); !reason.empty()) return reason;
    body.worker->ask_for(body.name, std::move(wanted));
    return {};
}

}  // namespace perfspec::detail
