// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Queries that show where a model spends its time: layers, oracles, profiles, traces. Their results are recorded, not
// judged. Link perfspec::explain in addition to perfspec::catch2_main; perfspec::libtorch links it for you.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/explain.hpp>
//
//     TEST_CASE("where the time goes", "[perf]") { PERF_RECORD(layers(model)); }

#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/explain/explain.cpp>
#endif
