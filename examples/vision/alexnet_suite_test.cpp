// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("alexnet inference", "[perf][alexnet]") { vision::judge_model("alexnet", 0.95); }
