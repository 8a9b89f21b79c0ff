// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("densenet121 inference", "[perf][densenet121]") { vision::judge_model("densenet121", 1.1); }
