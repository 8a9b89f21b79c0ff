// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The bodies of the Catch2 host. Included by exactly one translation unit, through PERFSPEC_IMPLEMENTATION.

#include <perfspec/implementation.hpp>

#include <perfspec/catch2/test_spec.ipp>

#include <perfspec/catch2/host.ipp>
#include <perfspec/catch2/listener.ipp>
#include <perfspec/catch2/session.ipp>
