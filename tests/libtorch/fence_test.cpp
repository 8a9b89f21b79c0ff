// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>

#define LOG(text)   ("mine: " text)  // an application's own
#define VLOG(level) (level)

#include <perfspec/libtorch/fence_begin.hpp>
// The fences are in between.
#include <ATen/core/ivalue.h>
#include <c10/util/Logging.h>
// The fences stand between.
#include <perfspec/libtorch/fence_end.hpp>

#include <perfspec/libtorch.hpp>

#include <string_view>

TEST_CASE("fences keep LibTorch's macros from those of others", "[libtorch][unit]") {
    CHECK(std::string_view{LOG("x")} == "mine: x");
    CHECK(VLOG(3) == 3);
#ifdef DCHECK
    FAIL("DCHECK leaked");
#endif
}
