// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/finding.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// What a waiver did to a claim that it covers. `not_needed`: the claim holds. `too_far`: its value is beyond the
/// ceiling.
enum class waiver_effect : std::uint8_t { waived, not_needed, too_far, expired };

/// "waived", "not needed", "too far", "expired".
[[nodiscard]] const char* to_string(waiver_effect e) noexcept;

/// The waiver that covers a claim. A claim that is waived does not fail its test.
struct applied_waiver {
    waiver_effect effect{waiver_effect::waived};
    std::string ceiling;  ///< "20%" beyond the bound, or the farthest value
    std::string until;    ///< the last day, UTC: "2027-01-31"
    std::string reason;
    std::string owner;  ///< who answers for it
    std::string place;  ///< "baselines/perfspec.json:7"
};

/// The result of one assertion, flat and versioned: the question and the finding. Sinks render it and decide nothing.
struct record : finding {
    int schema{1};
    std::string time;  ///< RFC 3339, UTC
    std::string suite;
    std::string test;
    std::vector<std::string> sections;
    std::string key;
    std::string macro;  ///< "PERF_CHECK"; "evaluate" without a macro
    std::string claim;  ///< as written
    std::string file;
    int line{};

    bool failed{};  ///< whether this fails the test: violated and invalid do, except under PERF_WARN; undecided if the
                    ///< option says so
    std::optional<applied_waiver> waiver{};

    std::string query;     ///< "speedup(eager, inductor)"
    std::string own_unit;  ///< of the user's own metric: "tokens/s"; else empty
    better direction{better::less};
    std::string comparison;  ///< "<", "<=", ">", ">=", "=="; empty without a bound

    std::vector<std::pair<std::string, std::string>> axes;
    std::vector<std::pair<std::string, std::string>>
        options;  ///< the plan, as names and values that can be given again
    std::vector<std::pair<std::string, std::string>>
        origins{};  ///< of options that are given: {"budget", "call"}, {"margin", "environment"}
    std::vector<std::pair<std::string, std::string>>
        commands;  ///< {"again", "ctest …"}, {"accept", "PERFSPEC_… ctest …"}, {"from CI", "perfspec accept …"}

    std::string hardware_key;
    std::string build_variant;
    std::string build;  ///< "optimised", "not optimised", "AddressSanitizer", …
    std::string host;
    std::string commit;
    std::string branch;
    bool dirty{};
    std::string run_id;        ///< the same for all processes of one run, if the environment sets it
    std::string started_by{};  ///< the process that started the test program, the same for all programs of one ctest:
                               ///< "4711 1834512"

    /// Fails to compile, to catch if (evaluate(claim)). It is explicit, so nothing prints a record as a bool.
    template <class B>
    requires std::same_as<B, bool>
    explicit operator B() const {
        static_assert(
            sizeof(B) == 0,
            "perfspec: a record has five verdicts: write !evaluate(claim).failed, or .verdict == perfspec::verdict::holds");
        return false;
    }
};

/// The name of the record's unit in baseline files: that of its dimension, or the user's own.
[[nodiscard]] std::string unit_name(const record& r);

}  // namespace perfspec
