// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

struct record;
struct evaluation;

/// The verdict on a claim. README.md, "Reading a verdict", explains each.
enum class verdict : std::uint8_t { holds, violated, undecided, error, skipped, measured };

/// "holds", "violated", "undecided", "error", "skipped", "measured".
[[nodiscard]] const char* to_string(verdict v) noexcept;

namespace detail {

/// Whether the claim holds, or the query without a bound was measured.
[[nodiscard]] constexpr bool has_succeeded(verdict v) noexcept { return v == verdict::holds || v == verdict::measured; }

}  // namespace detail

namespace detail {

/// A copy of a record, whose type is incomplete in the headers that users include.
class record_copy {
public:
    explicit record_copy(const record& r);
    record_copy(const record_copy& other) : record_copy(*other.record_) {}
    record_copy& operator=(const record_copy& other) {
        record_copy copy(other);
        std::swap(record_, copy.record_);
        return *this;
    }
    ~record_copy();

    [[nodiscard]] const record& get() const noexcept { return *record_; }

private:
    const record* record_;
};

/// The full record of an assertion, for perfspec's own hosts and tables. It lives as long as the evaluation.
[[nodiscard]] const record& record_of(const evaluation& e) noexcept;

}  // namespace detail

/// The result of one assertion: `evaluate` returns it, and hosts of test frameworks get it.
///
///     const auto found = perfspec::evaluate(speedup(a, b) > 0.5, budget(2s));
///     if (found.failed) std::printf("%s\n", found.text().c_str());
struct evaluation {
    perfspec::verdict verdict;
    bool failed;                      ///< violated or error, except under PERF_WARN; undecided if the option says so
    bool on_request;                  ///< the user requested no judging (an update, a dry run)
    std::string query;                ///< "speedup(slow, fast)"
    std::string reason;               ///< one sentence: why error, skipped or undecided; otherwise empty
    std::string unit;                 ///< of `value` and `bound`: "ns", "bytes", "items/s", your own "tokens/s"
    std::optional<double> value;      ///< the printed figure; empty if nothing was measured
    double low, high;                 ///< its confidence interval, or the range of the values
    double level;                     ///< nominal coverage of the interval, such as 0.95; 0 for a range
    std::optional<double> bound;      ///< empty for a query without a bound
    std::vector<std::string> advice;  ///< what would decide it, what to do
    std::vector<std::string> notes;   ///< facts about the measured value, whatever the verdict

    explicit evaluation(const record& r);

    /// The report as the console shows it, without colors and without a final line break.
    [[nodiscard]] std::string text() const;
    /// The record as `--perf-output` writes it: a line of JSON without its line break. `record.schema.json` describes
    /// it.
    [[nodiscard]] std::string json() const;

    /// Fails to compile, to catch if (evaluate(claim)). It is explicit, so nothing prints an evaluation as a bool.
    template <class B>
    requires std::same_as<B, bool>
    explicit operator B() const {
        static_assert(
            sizeof(B) == 0,
            "perfspec: a claim has several verdicts: write !evaluate(claim).failed, or .verdict == perfspec::verdict::holds");
        return false;
    }

private:
    friend const record& detail::record_of(const evaluation& e) noexcept;

    detail::record_copy record_;
};

}  // namespace perfspec::inline v0_2
