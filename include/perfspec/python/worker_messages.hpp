// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>
#include <perfspec/measure/machine/processor_use.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/json_fields.hpp>
#include <perfspec/report/record_fields.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The messages of PROTOCOL.md.

namespace perfspec::inline v0_1::detail {

using setting_list = std::vector<std::pair<std::string, std::string>>;

/// A request to a worker (PROTOCOL.md).
struct subject_request {
    std::string request{};
    std::uint64_t number{};
    std::string subject{};
    setting_list settings{};  ///< of "load"
    std::optional<std::uint64_t> iterations{};
    std::string name{};  ///< of a count
    std::string reference{}, candidate{}, file{};
};

/// An operator in an answer: all its calls together.
struct called_operator {
    std::string name{};
    std::uint64_t calls{};
    std::int64_t ns{};
};

/// An answer of a worker.
struct subject_answer {
    std::string answer{};
    std::optional<std::uint64_t> number{};
    std::string reason{}, kind{};             ///< of "invalid"
    std::optional<std::uint64_t> protocol{};  ///< of "hello"
    std::string language{};
    std::vector<std::string> subjects{};
    setting_list settings{};  ///< of "hello" and "loaded"
    std::optional<std::uint64_t> iterations{}, elapsed_ns{}, cpu_ns{};
    std::string cpu_unknown{};
    std::optional<processor_use> use{};
    std::vector<std::string> notes{};
    std::optional<double> value{}, peak_bytes{};
    std::uint64_t calls{};  ///< of "counted"
    std::vector<std::string> places{};
    std::vector<called_operator> operators{};
    std::optional<verification_code> code{};  ///< of "compared"
    std::string text{};
    std::vector<verification_statistic> statistics{};
};

inline constexpr std::uint64_t worker_protocol = 2;

/// The variable PERFSPEC_WORKER.
struct worker_start {
    std::uint64_t protocol{worker_protocol};
    int answers{child_result_descriptor};
    int requests{child_request_descriptor};
};

template <>
inline constexpr std::tuple fields_of<worker_start>{
    field{"protocol", &worker_start::protocol},
    field{"answers", &worker_start::answers},
    field{"requests", &worker_start::requests},
};

template <>
inline constexpr std::tuple fields_of<subject_request>{
    field{"request", &subject_request::request},
    field{"number", &subject_request::number, true},
    field{"subject", &subject_request::subject},
    field{"settings", &subject_request::settings},
    field{"iterations", &subject_request::iterations},
    field{"name", &subject_request::name},
    field{"reference", &subject_request::reference},
    field{"candidate", &subject_request::candidate},
    field{"file", &subject_request::file},
};

template <>
inline constexpr std::tuple fields_of<called_operator>{
    field{"name", &called_operator::name},
    field{"calls", &called_operator::calls},
    field{"ns", &called_operator::ns},
};

template <>
inline constexpr std::tuple fields_of<subject_answer>{
    field{"answer", &subject_answer::answer},
    field{"number", &subject_answer::number},
    field{"reason", &subject_answer::reason},
    field{"kind", &subject_answer::kind},
    field{"protocol", &subject_answer::protocol},
    field{"language", &subject_answer::language},
    field{"subjects", &subject_answer::subjects},
    field{"settings", &subject_answer::settings},
    field{"iterations", &subject_answer::iterations},
    field{"elapsed_ns", &subject_answer::elapsed_ns},
    field{"cpu_ns", &subject_answer::cpu_ns},
    field{"cpu_unknown", &subject_answer::cpu_unknown},
    field{"use", &subject_answer::use},
    field{"notes", &subject_answer::notes},
    field{"value", &subject_answer::value},
    field{"peak_bytes", &subject_answer::peak_bytes},
    field{"calls", &subject_answer::calls, true},
    field{"places", &subject_answer::places},
    field{"operators", &subject_answer::operators},
    field{"code", &subject_answer::code},
    field{"text", &subject_answer::text},
    field{"statistics", &subject_answer::statistics},
};

}  // namespace perfspec::inline v0_1::detail
