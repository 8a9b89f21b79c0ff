// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The language and the assertions, without a test framework. The reference is `include/perfspec/README.md`.

#include <perfspec/judge/evaluate.hpp>
#include <perfspec/judge/macros.hpp>
#include <perfspec/language/bound.hpp>
#include <perfspec/language/growth.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/language/subjects/setup.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/process/in_child.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/session/link_check.hpp>
#include <perfspec/session/program.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/implementation.hpp>
#endif
