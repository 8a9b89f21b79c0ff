// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A file with the headers of another version than that of the library it is linked with.

#include <perfspec/version.hpp>

#undef PERFSPEC_DETAIL_VERSION_IS_LINKED
#define PERFSPEC_DETAIL_VERSION_IS_LINKED \
    perfspec_0_0_9_is_included_and_another_version_is_linked_so_compile_and_link_one_version
#define v0_2 v0_0  // the inline namespace

#include <perfspec/perfspec.hpp>

int main() { return perfspec::exit_code(); }
