// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("resnet50 inference", "[perf][resnet50]") { vision::judge_model("resnet50", 0.95); }
