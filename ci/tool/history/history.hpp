// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/claims.hpp"
#include "../results/results.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace perfspec::tool {

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// One run of the tests.
struct history_run {
    std::string time{};  ///< of its first measurement
    std::string commit{};
    std::string branch{};
    bool dirty{};
};

/// The results of a key in one run. Values are in the base unit, and `no_value` where there is none.
struct history_point {
    std::size_t run{};  ///< in history::runs
    double value{no_value};
    double low{no_value};
    double high{no_value};
    double bound{no_value};          ///< of the claim that concerns the reader most
    concern worst{concern::none};    ///< of all claims on the key
    verdict judged{verdict::holds};  ///< of that claim
};

/// What a key needs of its reader, in falling order: its claims were violated in both of its last two runs and not
/// waived; a newer run on its hardware has no result of it; neither.
enum class key_state : std::uint8_t { violated, missing, steady };

/// A key on one hardware key, from run to run.
struct key_history {
    std::string hardware{};
    std::string variant{};
    std::string suite{};
    std::string key{};
    std::string claim{};                  ///< as written, in the newest run; the query where nothing is claimed
    std::string unit{};                   ///< unit_name of its records
    std::vector<history_point> points{};  ///< in the order of runs
    key_state state{key_state::steady};
    bool is_missing{};  ///< in a newer run on its hardware, also where it is violated
};

/// The results of many runs.
struct history {
    std::vector<history_run> runs{};   ///< in the order of time
    std::vector<key_history> keys{};   ///< sorted by key, then by hardware
    std::vector<std::string> notes{};  ///< on lines that end in the middle
};

/// Collects the results of many files, one file at a time, so that only their values stay in memory.
///
/// Results with the same `run_id` are one run, and results of one file without an id.
/// Runs are in the order of their first measurement, which need not be the order of their commits. A measurement that
/// started and never ended is an *invalid* result. Where a run has several results of a key, its last value counts, and
/// the claim that concerns the reader most.
///
///     history_reader reader(since);
///     for (const std::string& path : paths) reader.read(text_of(path));
///     const history all = reader.collected();
class history_reader {
public:
    /// since  only results of this day and later: "2026-10-01"; empty: all
    explicit history_reader(std::string since) : since_(std::move(since)) {}

    /// Throws input_error as read_results does.
    void read(const input_text& file);

    /// All that was read.
    [[nodiscard]] history collected() const;

private:
    using key_identity = std::tuple<std::string, std::string, std::string, std::string, std::string>;

    void take(const record& r, const std::string& path);

    std::string since_;
    std::vector<std::string> notes_;
    std::map<std::string, std::size_t> run_indices_;
    std::vector<history_run> runs_;  // in the order of the files
    std::map<key_identity, key_history> keys_;
};

/// A history for a console: a table of the keys that are violated, one of those that are missing, and counts.
/// The code is `violated` where a key violates in its last two runs, else `holds`.
[[nodiscard]] outcome history_console(const history& all);

/// A history as a page for a browser: all keys, those that need a reader first, and the course of each key over the
/// runs.
[[nodiscard]] std::string history_page(const history& all);

}  // namespace perfspec::tool
