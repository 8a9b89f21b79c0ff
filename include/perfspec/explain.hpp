// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Queries of models and devices, such as operators and device_time, and tables of where a model spends its time:
// layers, mixtures, profiles. Tables are recorded, not judged. Link perfspec::explain in addition to
// perfspec::catch2_main; perfspec::libtorch, ::cuda and ::python link it for you.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/explain.hpp>
//
//     TEST_CASE("where the time goes", "[perf]") { PERF_MEASURE(layers(model)); }

#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/explain/explain.cpp>
#endif
