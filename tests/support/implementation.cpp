// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The bodies of the core, without a host: what unit tests link.
#define PERFSPEC_IMPLEMENTATION
#include <perfspec/perfspec.hpp>
