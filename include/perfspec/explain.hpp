// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Where the time of a model goes: layers, oracles, profiles, traces. They are recorded, not judged. Link perfspec::explain besides
// perfspec::catch2_main; perfspec::libtorch brings it.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/explain.hpp>
//
//     TEST_CASE("where the time goes", "[perf]") { PERF_RECORD(layers(model)); }

#include <perfspec/explain/chosen_layers.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/operator_counts.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/explain/implementation.hpp>
#endif
