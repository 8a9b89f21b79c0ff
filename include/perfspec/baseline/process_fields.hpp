// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/quantity/json_fields.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

// The fields of stored measurements by name.

namespace perfspec::inline v0_2::detail {

template <>
inline constexpr std::tuple fields_of<stored_session>{
    field{"values", &stored_session::values},
    field{"q1", &stored_session::q1},
    field{"q3", &stored_session::q3},
    field{"p90", &stored_session::p90},
    field{"p99", &stored_session::p99},
    field{"samples", &stored_session::samples},
    field{"iterations", &stored_session::iterations},
    field{"processor_ns", &stored_session::processor_ns, true},
    field{"time", &stored_session::time},
    field{"commit", &stored_session::commit},
    field{"run", &stored_session::run},
    field{"session", &stored_session::recording_session},
};

template <>
inline constexpr std::tuple fields_of<fingerprint>{
    field{"memory", &fingerprint::memory},       field{"os", &fingerprint::os},
    field{"kernel", &fingerprint::kernel},       field{"compiler", &fingerprint::compiler},
    field{"flags", &fingerprint::flags},         field{"governor", &fingerprint::governor},
    field{"container", &fingerprint::container}, field{"processors", &fingerprint::processors},
    field{"libraries", &fingerprint::libraries},
};

template <>
inline constexpr std::tuple fields_of<profiled_part>{
    field{"ns", &profiled_part::self_ns},
    field{"calls", &profiled_part::calls},
};
template <> inline constexpr auto name_member<profiled_part> = &profiled_part::name;

template <>
inline constexpr std::tuple fields_of<part_profile>{
    field{"settings", &part_profile::settings},
    field{"longest", &part_profile::longest},
    field{"others", &part_profile::others_ns, true},
};

/// A session also has the members of its base class, `stored_process`, except the value.
template <>
inline constexpr bool every_member_is_a_field<stored_session> =
    std::tuple_size_v<std::remove_const_t<decltype(fields_of<stored_session>)>> ==
    member_count<stored_session>() + member_count<stored_process>() - 2;

template <> void read_field(const json_value& v, std::vector<versioned_library>& into, const json_place& at);
template <> [[nodiscard]] std::string json(const std::vector<versioned_library>& libraries);

/// Reads and writes sessions.
template <> void read_field(const json_value& v, std::vector<stored_process>& into, const json_place& at);
template <> [[nodiscard]] std::string json(const std::vector<stored_process>& processes);

}  // namespace perfspec::inline v0_2::detail
