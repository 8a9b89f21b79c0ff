// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/callgrind.hpp>.

#include <perfspec/callgrind/count-inl.hpp>
#include <perfspec/callgrind/judge-inl.hpp>
#include <perfspec/callgrind/simulator-inl.hpp>
