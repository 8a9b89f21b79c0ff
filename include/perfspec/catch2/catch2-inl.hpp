// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The bodies of the Catch2 host, without those of the core.

#include <perfspec/catch2/link_check.hpp>

#include <perfspec/catch2/host-inl.hpp>

#include <perfspec/catch2/listener-inl.hpp>
#include <perfspec/catch2/session-inl.hpp>
#include <perfspec/catch2/test_spec-inl.hpp>

extern "C" {
extern const int
    perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp =
        1;
extern const int
    perfspec_catch2_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main;
const int
    perfspec_catch2_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main =
        1;
}
