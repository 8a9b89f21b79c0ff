// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/callgrind/count.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

// The requests are a few instructions without effect outside Valgrind, so they are compiled in if the header exists.
#if defined(__has_include) && __has_include(<valgrind/callgrind.h>)
#    include <valgrind/callgrind.h>
#    define PERFSPEC_DETAIL_HAS_CALLGRIND 1
#else
#    define PERFSPEC_DETAIL_HAS_CALLGRIND 0
#endif

namespace perfspec::inline v0_2 {
namespace detail {

/// Escapes "%" for Valgrind, which replaces "%p" and the like in file names.
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
            return "perfspec was compiled without Valgrind's header valgrind/callgrind.h. Install Valgrind (apt-get "
                   "install valgrind), and build again";
        if (valgrind_.empty())
            return "Valgrind, which simulates the processor, is not in PATH. Install it (apt-get install valgrind)";
        return {};
    }

    [[nodiscard]] std::vector<std::string> command(const std::string& profiles) const override {
        return {valgrind_,
                "--tool=callgrind",
                "--quiet",
                "--vgdb=no",
                "--fair-sched=try",
                "--instr-atstart=no",
                "--compress-strings=no",
                "--compress-pos=no",
                "--callgrind-out-file=" + without_placeholders(profiles)};
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

[[noreturn]] inline void refuse_profile(const std::string& what) {
    throw input_error("a Valgrind profile " + what + ", expected the format of callgrind 3.19 or later");
}

/// The first count of a line; 0 if the line has none, because zeros at its end are left out.
inline std::uint64_t first_count(std::string_view counts) {
    const std::string_view word = counts.substr(0, counts.find(' '));
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (word.empty() || (error == std::errc() && end == word.data() + word.size())) return count;
    refuse_profile("counts " + excerpt(word));
}

[[nodiscard]] inline std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (b > most - a) refuse_profile("adds up to more than " + std::to_string(most));
    return a + b;
}

/// Reads a profile line by line.
class profile_reader {
public:
    void read(std::string_view line) {
        if (line.starts_with("events: ") && line.substr(8, line.find(' ', 8) - 8) != "Ir")
            refuse_profile("does not count Ir first");
        if (line.starts_with("totals: ")) {
            has_totals_ = true;
            profile_.total = sum_of(profile_.total, first_count(line.substr(8)));
        } else if (line.starts_with("fn=")) {
            function_ = line.substr(3);
        } else if (line.starts_with("calls=")) {
            skips_next_ = true;  // the costs of the calls follow; they belong to the called function
        } else if (!line.empty() && line.front() >= '0' && line.front() <= '9') {
            std::uint64_t& count = profile_.functions[function_];
            if (!skips_next_)
                count = sum_of(count, first_count(line.substr(std::min(line.find(' '), line.size() - 1) + 1)));
            skips_next_ = false;
        }
    }

    [[nodiscard]] simulated_profile result() && {
        if (!has_totals_) refuse_profile("has no line \"totals:\", because it is cut off or is not a profile");
        std::erase_if(profile_.functions, [](const auto& f) { return f.second == 0; });
        return std::move(profile_);
    }

private:
    std::string function_{"unknown"};
    bool skips_next_{};
    bool has_totals_{};
    simulated_profile profile_;
};

}  // namespace detail

std::unique_ptr<simulator> callgrind(const environment& variables) {
    return std::make_unique<detail::callgrind_simulator>(variables);
}

simulated_profile parse_profile(std::string_view text) {
    detail::profile_reader reader;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(reader).result();
}

}  // namespace perfspec::inline v0_2

#undef PERFSPEC_DETAIL_HAS_CALLGRIND
