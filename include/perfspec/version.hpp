// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The version of this library: `PERFSPEC_VERSION` for `#if`, and `perfspec::library_version`.

#include <perfspec/process/version.hpp>
