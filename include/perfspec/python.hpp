// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Subjects in Python, such as a model in eager mode and under torch.compile, and in other languages. Link
// perfspec::python in addition to perfspec::catch2_main.
//
//     #include <perfspec/catch2.hpp>
//     #include <perfspec/python.hpp>
//
//     TEST_CASE("compiling pays", "[perf]") {
//         const perfspec::python_subjects py("models.py");
//         PERF_REQUIRE(speedup(py("eager"), py("inductor")) > 0.95);
//     }

#include <perfspec/explain/model_queries.hpp>
#include <perfspec/python/worker_subjects.hpp>

#if defined(PERFSPEC_IMPLEMENTATION)
#    include <perfspec/explain.hpp>
#    include <perfspec/python/implementation.hpp>
#endif
