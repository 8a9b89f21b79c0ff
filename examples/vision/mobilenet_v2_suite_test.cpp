// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("mobilenet_v2 inference", "[perf][mobilenet_v2]") { vision::judge_model("mobilenet_v2", 1.5); }
