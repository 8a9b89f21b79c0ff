// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/report/claim_result.hpp>

#include <tuple>
#include <type_traits>

// The fields of a record by name.

namespace perfspec::inline v0_2::detail {

template <> inline constexpr auto last_enumerator<verdict> = verdict::measured;
template <> inline constexpr auto last_enumerator<verification_code> = verification_code::verifier_didnt_run;
template <> inline constexpr auto last_enumerator<failure_kind> = failure_kind::unavailable;
template <> inline constexpr auto last_enumerator<baseline_action> = baseline_action::is_new;
template <> inline constexpr auto last_enumerator<waiver_effect> = waiver_effect::expired;

template <>
inline constexpr std::tuple fields_of<estimate>{
    field{"value", &estimate::value},
    field{"low", &estimate::low},
    field{"high", &estimate::high},
    field{"level", &estimate::level},
};

template <>
inline constexpr std::tuple fields_of<tolerated_range>{
    field{"low", &tolerated_range::low},
    field{"high", &tolerated_range::high},
};

template <>
inline constexpr std::tuple fields_of<compared_subject>{
    field{"subject", &compared_subject::subject},
    field{"speedup", &compared_subject::speedup},
};

template <>
inline constexpr std::tuple fields_of<part_value>{
    field{"part", &part_value::part},   field{"method", &part_value::method}, field{"unit", &part_value::unit},
    field{"value", &part_value::value}, field{"share", &part_value::share},   field{"mark", &part_value::mark},
};

template <>
inline constexpr std::tuple fields_of<sample_summary>{
    field{"subject", &sample_summary::subject}, field{"minimum", &sample_summary::minimum},
    field{"q1", &sample_summary::q1},           field{"median", &sample_summary::median},
    field{"q3", &sample_summary::q3},           field{"p90", &sample_summary::p90},
    field{"p99", &sample_summary::p99},         field{"maximum", &sample_summary::maximum},
    field{"samples", &sample_summary::samples}, field{"iterations", &sample_summary::iterations},
    field{"strip", &sample_summary::strip},     field{"unit", &sample_summary::unit},
    field{"course", &sample_summary::course},
};

template <>
inline constexpr std::tuple fields_of<evidence_counts>{
    field{"method", &evidence_counts::method},
    field{"rounds", &evidence_counts::rounds},
    field{"confirming_rounds", &evidence_counts::confirming_rounds},
    field{"processes", &evidence_counts::processes},
    field{"seconds", &evidence_counts::seconds},
    field{"starting_seconds", &evidence_counts::starting_seconds},
    field{"budget_seconds", &evidence_counts::budget_seconds},
    field{"seed", &evidence_counts::seed},
    field{"processor_ns", &evidence_counts::processor_ns},
    field{"log_e_holds", &evidence_counts::log_e_holds},
    field{"log_e_violated", &evidence_counts::log_e_violated},
    field{"exact", &evidence_counts::exact},
    field{"false_failure", &evidence_counts::false_failure},
    field{"approximate", &evidence_counts::approximate},
};

template <>
inline constexpr std::tuple fields_of<device_activity>{
    field{"device", &device_activity::device},     field{"text", &device_activity::text},
    field{"slowdown", &device_activity::slowdown}, field{"others", &device_activity::others},
    field{"facts", &device_activity::facts},
};

template <>
inline constexpr std::tuple fields_of<disturbances>{
    field{"load", &disturbances::load},
    field{"cores", &disturbances::cores},
    field{"steal_seconds", &disturbances::steal_seconds},
    field{"waited_seconds", &disturbances::waited_seconds},
    field{"interrupted", &disturbances::interrupted},
    field{"interrupted_seconds", &disturbances::interrupted_seconds},
    field{"excluded", &disturbances::excluded},
    field{"working_share", &disturbances::working_share},
    field{"page_faults", &disturbances::page_faults},
    field{"runnable", &disturbances::runnable},
    field{"lengthened", &disturbances::lengthened},
    field{"others_cores", &disturbances::others_cores},
    field{"frequency_mhz", &disturbances::frequency_mhz},
    field{"frequency_change", &disturbances::frequency_change},
    field{"devices", &disturbances::devices},
    field{"slowed_device", &disturbances::slowed_device},
    field{"notes", &disturbances::notes},
};

template <>
inline constexpr std::tuple fields_of<baseline_origin>{
    field{"file", &baseline_origin::file},
    field{"key", &baseline_origin::key},
    field{"median", &baseline_origin::median},
    field{"processes", &baseline_origin::processes},
    field{"recorded", &baseline_origin::recorded},
    field{"commit", &baseline_origin::commit},
    field{"detectable", &baseline_origin::detectable},
    field{"sessions", &baseline_origin::sessions},
    field{"drift", &baseline_origin::drift},
    field{"values", &baseline_origin::values},
    field{"now", &baseline_origin::now},
    field{"differences", &baseline_origin::differences},
    field{"action", &baseline_origin::action},
    field{"taken", &baseline_origin::taken},
    field{"machine", &baseline_origin::machine},
    field{"headroom", &baseline_origin::headroom},
    field{"operators", &baseline_origin::profile},
};

template <>
inline constexpr std::tuple fields_of<verification_statistic>{
    field{"name", &verification_statistic::name},
    field{"value", &verification_statistic::value},
};

template <>
inline constexpr std::tuple fields_of<verification>{
    field{"code", &verification::code},
    field{"text", &verification::text},
    field{"statistics", &verification::statistics},
    field{"fingerprints", &verification::fingerprints},
    field{"made_by", &verification::made_by},
};

template <>
inline constexpr std::tuple fields_of<forecast>{
    field{"method", &forecast::method},
    field{"baseline", &forecast::baseline},
    field{"cap_seconds", &forecast::cap_seconds},
    field{"budget_seconds", &forecast::budget_seconds},
};

template <>
inline constexpr std::tuple fields_of<part_namespace>{
    field{"name", &part_namespace::name},
    field{"operators", &part_namespace::parts},
};

template <>
inline constexpr std::tuple fields_of<part_library>{
    field{"library", &part_library::library},
    field{"namespaces", &part_library::namespaces},
};

template <>
inline constexpr std::tuple fields_of<remote_subject>{
    field{"subject", &remote_subject::subject},
    field{"process", &remote_subject::process},
    field{"facts", &remote_subject::facts},
};

template <>
inline constexpr std::tuple fields_of<applied_waiver>{
    field{"effect", &applied_waiver::effect}, field{"ceiling", &applied_waiver::ceiling},
    field{"until", &applied_waiver::until},   field{"reason", &applied_waiver::reason},
    field{"owner", &applied_waiver::owner},   field{"place", &applied_waiver::place},
};

template <>
inline constexpr std::tuple fields_of<record>{
    field{"schema", &record::schema},
    field{"time", &record::time},
    field{"suite", &record::suite},
    field{"test", &record::test},
    field{"sections", &record::sections},
    field{"key", &record::key},
    field{"macro", &record::macro},
    field{"claim", &record::claim},
    field{"file", &record::file},
    field{"line", &record::line},
    field{"verdict", &record::verdict},
    field{"failed", &record::failed},
    field{"waiver", &record::waiver},
    field{"on_request", &record::on_request},
    field{"reason", &record::reason},
    field{"failure", &record::failure},
    field{"advice", &record::advice},
    field{"notes", &record::notes},
    field{"query", &record::query},
    field{"metric", &record::metric},
    field{"names", &record::names},
    field{"unit", &record::unit},
    field{"own_unit", &record::own_unit},
    field{"better", &record::direction},
    field{"measured", &record::estimate},
    field{"compared", &record::compared},
    field{"parts", &record::parts},
    field{"operators", &record::known_parts},
    field{"comparison", &record::comparison},
    field{"bound", &record::bound},
    field{"tolerated", &record::tolerated},
    field{"bound_text", &record::bound_text},
    field{"margin", &record::margin},
    field{"evidence", &record::evidence},
    field{"subjects", &record::subjects},
    field{"workers", &record::workers},
    field{"disturbed", &record::disturbed},
    field{"baseline", &record::baseline},
    field{"verified", &record::verified},
    field{"forecast", &record::forecast},
    field{"axes", &record::axes},
    field{"options", &record::options},
    field{"origins", &record::origins},
    field{"commands", &record::commands},
    field{"hardware", &record::hardware_key},
    field{"build_variant", &record::build_variant},
    field{"build", &record::build},
    field{"host", &record::host},
    field{"commit", &record::commit},
    field{"branch", &record::branch},
    field{"dirty", &record::dirty},
    field{"shard", &record::shard},
    field{"run_id", &record::run_id},
    field{"started_by", &record::started_by},
};

/// A record also has the members of the result, its base class.
template <>
inline constexpr bool every_member_is_a_field<record> =
    std::tuple_size_v<std::remove_const_t<decltype(fields_of<record>)>> ==
    member_count<record>() - 1 + member_count<claim_result>();

}  // namespace perfspec::inline v0_2::detail
