// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/simulation/profile.hpp>
#include <perfspec/quantity/error.hpp>

#include <algorithm>
#include <charconv>
#include <vector>

namespace perfspec {
namespace detail {

inline std::vector<std::string_view> events_of(metric_kind m) {
    if (m == metric_kind::simulated_branch_misses) return {"Bcm", "Bim"};
    if (m == metric_kind::simulated_cache_misses) return {"ILmr", "DLmr", "DLmw"};
    return {"Ir"};
}

[[noreturn]] inline void refuse_profile(const std::string& what) {
    throw input_error("a profile of Valgrind " + what + ": expected the format of callgrind 3.19 or later");
}

inline std::vector<std::string_view> split_words(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        if (begin < end) words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
    return words;
}

/// Reads a profile line by line.
class profile_reader {
public:
    explicit profile_reader(metric_kind m) : wanted_(events_of(m)) {}

    void read(std::string_view line) {
        if (line.starts_with("events: ")) return find_events(line.substr(8));
        if (line.starts_with("totals: ")) {
            has_totals_ = true;
            profile_.total += sum(split_words(line.substr(8)), 0);
        } else if (line.starts_with("fn=")) {
            function_ = line.substr(3);
        } else if (line.starts_with("calls=")) {
            skips_next_ = true;  // the costs of the calls follow, which belong to the called function
        } else if (!line.empty() && line.front() >= '0' && line.front() <= '9') {
            if (!skips_next_) profile_.functions[function_] += sum(split_words(line), 1);
            skips_next_ = false;
        }
    }

    [[nodiscard]] simulated_profile result() && {
        if (!has_totals_) refuse_profile("has no line \"totals:\", because it is cut or is none");
        std::erase_if(profile_.functions, [](const auto& f) { return f.second == 0; });
        return std::move(profile_);
    }

private:
    void find_events(std::string_view line) {
        const auto events = split_words(line);
        for (const std::string_view event : wanted_) {
            const auto found = std::ranges::find(events, event);
            if (found == events.end()) refuse_profile("does not count " + std::string(event));
            columns_.push_back(static_cast<std::size_t>(found - events.begin()));
        }
    }

    /// The wanted counts of a line. Counts of 0 at its end are left out.
    [[nodiscard]] std::uint64_t sum(const std::vector<std::string_view>& words, std::size_t first) const {
        if (columns_.empty()) refuse_profile("has no line \"events:\" before its counts");
        std::uint64_t all = 0;
        for (const std::size_t column : columns_) {
            if (first + column >= words.size()) continue;
            const std::string_view word = words[first + column];
            std::uint64_t count = 0;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
            if (error != std::errc() || end != word.data() + word.size())
                refuse_profile("counts \"" + std::string(word) + "\"");
            all += count;
        }
        return all;
    }

    std::vector<std::string_view> wanted_;
    std::vector<std::size_t> columns_;
    std::string function_{"unknown"};
    bool skips_next_{};
    bool has_totals_{};
    simulated_profile profile_;
};

}  // namespace detail

simulated_profile parse_profile(std::string_view text, metric_kind m) {
    detail::profile_reader reader(m);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(reader).result();
}

}  // namespace perfspec
