// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/simulation/simulator.hpp>
#include <perfspec/plan/environment.hpp>

// The requests are a few instructions that do nothing outside Valgrind. So they are compiled in wherever the header is.
#if defined(__has_include) && __has_include(<valgrind/callgrind.h>)
#    include <valgrind/callgrind.h>
#    define PERFSPEC_DETAIL_HAS_CALLGRIND 1
#else
#    define PERFSPEC_DETAIL_HAS_CALLGRIND 0
#endif

namespace perfspec {
namespace detail {

/// Valgrind takes "%p" and the like in a file name for something else, and "%%" for a percent sign.
inline std::string without_placeholders(const std::string& path) {
    std::string escaped;
    for (const char c : path) escaped += c == '%' ? "%%" : std::string(1, c);
    return escaped;
}

class callgrind_simulator final : public simulator {
public:
    explicit callgrind_simulator(const environment& variables) : valgrind_(program_path(variables, "valgrind")) {}

    [[nodiscard]] std::string fault() const override {
        if (PERFSPEC_DETAIL_HAS_CALLGRIND == 0)
            return "perfspec was compiled without Valgrind's header valgrind/callgrind.h: install Valgrind (apt-get install valgrind), and "
                   "build again";
        if (valgrind_.empty())
            return "there is no Valgrind in PATH, which simulates a processor: install it (apt-get install valgrind)";
        return {};
    }

    [[nodiscard]] std::vector<std::string> command(metric_kind m, const std::string& profiles) const override {
        std::vector<std::string> words{valgrind_,
                                       "--tool=callgrind",
                                       "--quiet",
                                       "--vgdb=no",
                                       "--fair-sched=try",
                                       "--instr-atstart=no",
                                       "--compress-strings=no",
                                       "--compress-pos=no",
                                       "--callgrind-out-file=" + without_placeholders(profiles)};
        if (m == metric_kind::simulated_branch_misses) words.emplace_back("--branch-sim=yes");
        if (m == metric_kind::simulated_cache_misses)  // the caches of one machine, everywhere
            words.insert(words.end(), {"--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"});
        return words;
    }

#if PERFSPEC_DETAIL_HAS_CALLGRIND
    [[nodiscard]] bool is_running() const noexcept override { return RUNNING_ON_VALGRIND > 0; }
    void begin() noexcept override { CALLGRIND_START_INSTRUMENTATION; }
    void end() noexcept override { CALLGRIND_STOP_INSTRUMENTATION; }
    void forget() noexcept override { CALLGRIND_ZERO_STATS; }
    void write_profile() noexcept override { CALLGRIND_DUMP_STATS; }
#else
    [[nodiscard]] bool is_running() const noexcept override { return false; }
    void begin() noexcept override {}
    void end() noexcept override {}
    void forget() noexcept override {}
    void write_profile() noexcept override {}
#endif

private:
    std::string valgrind_;
};

}  // namespace detail

std::unique_ptr<simulator> callgrind(const environment& variables) {
    return std::make_unique<detail::callgrind_simulator>(variables);
}

}  // namespace perfspec

#undef PERFSPEC_DETAIL_HAS_CALLGRIND
