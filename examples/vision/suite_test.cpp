// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("alexnet inference", "[perf][alexnet]") { vision::judge_model("alexnet", 0.95); }
TEST_CASE("resnet50 inference", "[perf][resnet50]") { vision::judge_model("resnet50", 0.95); }
TEST_CASE("mobilenet_v2 inference", "[perf][mobilenet_v2]") { vision::judge_model("mobilenet_v2", 1.5); }
TEST_CASE("googlenet inference", "[perf][googlenet]") { vision::judge_model("googlenet", 1.5); }
TEST_CASE("densenet121 inference", "[perf][densenet121]") { vision::judge_model("densenet121", 1.1); }
