// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/libtorch.hpp>
// The order is what is tested.
#include <catch2/catch_test_macros.hpp>

#if defined(LOG) || defined(VLOG) || defined(DCHECK)
#    error "a macro of LibTorch leaked"
#endif

TEST_CASE("libtorch.hpp before Catch2 leaves Catch2's CHECK", "[libtorch][unit]") {
    int evaluated = 0;
    CHECK(++evaluated == 1);
    CHECK_FALSE(perfspec::tensor_list{}.size() == 1);
}
