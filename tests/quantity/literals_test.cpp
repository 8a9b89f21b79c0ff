// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace perfspec::language;
using perfspec::dimension;
using perfspec::percentage;
using perfspec::quantity;
using perfspec::detail::nanoseconds;

TEST_CASE("literals and functions give the same quantity in base units", "[quantity][unit]") {
    STATIC_CHECK(2_KiB == quantity<dimension::bytes>{2048});
    STATIC_CHECK(1.5_MiB == quantity<dimension::bytes>{1572864});
    STATIC_CHECK(1_GiB == GiB(1));
    STATIC_CHECK(3_kB == quantity<dimension::bytes>{3000});
    STATIC_CHECK(3_MB == quantity<dimension::bytes>{3e6});
    STATIC_CHECK(3_GB == GB(3));
    STATIC_CHECK(12_GBps == quantity<dimension::byte_rate>{12e9});
    STATIC_CHECK(12_MBps == bytes_per_second(12e6));
    STATIC_CHECK(5_GFLOPS == flops_per_second(5e9));
    STATIC_CHECK(5_pct == percentage{0.05});
    STATIC_CHECK(pct(5) == 5_pct);
    STATIC_CHECK(items_per_second(7) == quantity<dimension::item_rate>{7});
}

TEST_CASE("nanoseconds takes any duration of the standard library", "[quantity][unit]") {
    STATIC_CHECK(nanoseconds(3ms) == 3e6);
    STATIC_CHECK(nanoseconds(1.5us) == 1500);
    STATIC_CHECK(nanoseconds(2min) == 1.2e11);
}
