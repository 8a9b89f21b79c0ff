// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("squeezenet1_1 inference", "[perf][squeezenet1_1]") { vision::judge_model("squeezenet1_1", 1.5); }
