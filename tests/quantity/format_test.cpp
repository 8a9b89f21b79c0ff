// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/test.hpp>

using perfspec::base_unit;
using perfspec::dimension;
using perfspec::format_change;
using perfspec::format_percentage;
using perfspec::format_range;
using perfspec::format_seconds;
using perfspec::format_value;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct row {
    double value;
    std::string text;
};

}  // namespace

TEST_CASE("format_value writes times in the unit that fits", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {3.2124e6, "3.212 ms"},  {850, "850.0 ns"},        {1, "1.000 ns"},        {0.4, "0.4000 ns"},
        {0.01234, "0.01234 ns"}, {12.345, "12.35 ns"},     {999.4, "999.4 ns"},    {999.6, "1.000 us"},
        {1000, "1.000 us"},      {999600, "1.000 ms"},     {9999.6, "10.00 us"},   {99996, "100.0 us"},
        {1e9, "1.000 s"},        {1.234e11, "123.4 s"},    {1.234e12, "1234 s"},   {1e30, "1.000e+21 s"},
        {1e-7, "1.000e-07 ns"},  {-3.2124e6, "-3.212 ms"}, {-999.6, "-1.000 us"},  {0, "0 ns"},
        {-0.0, "0 ns"},          {infinity, "inf ns"},     {-infinity, "-inf ns"}, {not_a_number, "nan ns"},
    }));
    CHECK(format_value(r.value, dimension::time) == r.text);
}

TEST_CASE("format_value writes ratios as numbers", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {1.4242, "1.424"},
        {0.95, "0.9500"},
        {0.94986, "0.9499"},
        {0.99996, "1.000"},
        {-0.012346, "-0.01235"},
        {12.3456, "12.35"},
        {99.996, "100.0"},
        {1234.56, "1235"},
        {123456789, "123456789"},
        {1e9, "1.000e+09"},
        {0, "0"},
    }));
    CHECK(format_value(r.value, dimension::ratio) == r.text);
}

TEST_CASE("format_value writes whole counts digit by digit", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {0, "0"},
        {3, "3"},
        {-3, "-3"},
        {1234567, "1234567"},
        {9999999, "9999999"},
        {1e7, "10.00 M"},
        {1.2346e9, "1.235 G"},
        {4.5678e13, "45.68 T"},
        {2.5, "2.500"},
        {12345.6, "12346"},
        {999999.7, "1.000 M"},
    }));
    CHECK(format_value(r.value, dimension::count) == r.text);
}

TEST_CASE("format_value writes bytes in powers of 1024", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {0, "0 B"},
        {512, "512 B"},
        {1023, "1023 B"},
        {2.5, "2.500 B"},
        {1023.6, "1.000 KiB"},
        {1024, "1.000 KiB"},
        {1022.4 * 1024, "1022 KiB"},
        {1048576, "1.000 MiB"},
        {1.5 * 1073741824, "1.500 GiB"},
        {3e15, "2728 TiB"},
        {-2048, "-2.000 KiB"},
    }));
    CHECK(format_value(r.value, dimension::bytes) == r.text);
}

TEST_CASE("format_value writes rates in powers of 1000", "[quantity][unit]") {
    struct rate {
        double value;
        dimension of;
        std::string text;
    };
    const auto r = GENERATE(values<rate>({
        {12, dimension::item_rate, "12.00 items/s"},
        {1e6, dimension::item_rate, "1.000 M items/s"},
        {12.3e9, dimension::byte_rate, "12.30 GB/s"},
        {999.6, dimension::byte_rate, "1.000 kB/s"},
        {1.23e11, dimension::flop_rate, "123.0 Gflop/s"},
        {0, dimension::flop_rate, "0 flop/s"},
        {41.5, dimension::own, "41.50"},
        {1.15, dimension::power, "1.150"},
        {0.07, dimension::spread, "7.000 %"},
        {0.004, dimension::spread, "0.4000 %"},
    }));
    CHECK(format_value(r.value, r.of) == r.text);
}

TEST_CASE("format_range writes both ends in one unit with the same decimals", "[quantity][unit]") {
    struct range {
        double low, high;
        dimension of;
        std::string text;
    };
    const auto r = GENERATE(values<range>({
        {3.2e6, 3.31e6, dimension::time, "3.200 .. 3.310 ms"},
        {980, 1010, dimension::time, "0.980 .. 1.010 us"},
        {999.2, 999.6, dimension::time, "0.9992 .. 0.9996 us"},
        {1.27, 1.31, dimension::ratio, "1.270 .. 1.310"},
        {0.9996, 1.0003, dimension::ratio, "0.9996 .. 1.0003"},
        {-0.5e6, 20e6, dimension::time, "-0.50 .. 20.00 ms"},
        {-20e6, 0.5e6, dimension::time, "-20.00 .. 0.50 ms"},
        {-1, 1e6, dimension::time, "0.000 .. 1.000 ms"},
        {-infinity, 3e6, dimension::time, "-inf .. 3.000 ms"},
        {3e6, infinity, dimension::time, "3.000 .. inf ms"},
        {-infinity, infinity, dimension::ratio, "-inf .. inf"},
        {2, 30, dimension::count, "2 .. 30"},
        {2.5, 30, dimension::count, "2.50 .. 30.00"},
        {512, 1023, dimension::bytes, "512 .. 1023 B"},
        {512, 2048, dimension::bytes, "0.500 .. 2.000 KiB"},
        {0, 0, dimension::time, "0 .. 0 ns"},
    }));
    CHECK(format_range(r.low, r.high, r.of) == r.text);
}

TEST_CASE("base_unit names the unit that files use", "[quantity][unit]") {
    CHECK(base_unit(dimension::time) == "ns");
    CHECK(base_unit(dimension::ratio) == "ratio");
    CHECK(base_unit(dimension::count) == "count");
    CHECK(base_unit(dimension::bytes) == "bytes");
    CHECK(base_unit(dimension::item_rate) == "items/s");
    CHECK(base_unit(dimension::byte_rate) == "bytes/s");
    CHECK(base_unit(dimension::flop_rate) == "flop/s");
    CHECK(base_unit(dimension::own) == "own");
    CHECK(base_unit(dimension::power) == "power");
    CHECK(base_unit(dimension::spread) == "spread");
}

TEST_CASE("format_percentage writes two digits below ten", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {0, "0 %"},
        {0.005, "0.5 %"},
        {0.0167, "1.7 %"},
        {0.0994, "9.9 %"},
        {0.0995, "10 %"},
        {0.1749, "17 %"},
        {1.5, "150 %"},
        {-0.0994, "-9.9 %"},
        {-0.4, "-40 %"},
    }));
    CHECK(format_percentage(r.value) == r.text);
}

TEST_CASE("format_change writes the sign of a rise too", "[quantity][unit]") {
    CHECK(format_change(0.02) == "+2 %");
    CHECK(format_change(-0.123) == "-12 %");
    CHECK(format_change(0.0) == "+0 %");
    CHECK(format_change(-0.0) == "+0 %");
}

TEST_CASE("format_seconds writes durations as in speech", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {0, "0 s"},           {850, "850 ns"},        {0.4, "0.400 ns"},    {1.2e6, "1.20 ms"},
        {12.34e6, "12.3 ms"}, {123.4e6, "123 ms"},    {999.4, "999 ns"},    {999.6, "1.00 us"},
        {9.996e3, "10.0 us"}, {99.96e3, "100 us"},    {999.4e6, "999 ms"},  {999.6e6, "1 s"},
        {1e9, "1 s"},         {3.14e9, "3.1 s"},      {10e9, "10 s"},       {59.94e9, "59.9 s"},
        {59.96e9, "1 min"},   {60e9, "1 min"},        {125e9, "2 min 5 s"}, {119.6e9, "2 min"},
        {3599.6e9, "1 h"},    {3.9e12, "1 h 5 min"},  {8.64e13, "24 h"},    {1e30, "2.778e+17 h"},
        {-1.2e6, "-1.20 ms"}, {-125e9, "-2 min 5 s"}, {infinity, "inf s"},  {not_a_number, "nan s"},
    }));
    CHECK(format_seconds(r.value) == r.text);
}

using namespace perfspec::language;
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
    STATIC_CHECK(5_GFLOP_per_s == flops_per_second(5e9));
    STATIC_CHECK(5_pct == percentage{0.05});
    STATIC_CHECK(pct(5) == 5_pct);
    STATIC_CHECK(items_per_second(7) == quantity<dimension::item_rate>{7});
}

TEST_CASE("nanoseconds takes any duration of the standard library", "[quantity][unit]") {
    STATIC_CHECK(nanoseconds(3ms) == 3e6);
    STATIC_CHECK(nanoseconds(1.5us) == 1500);
    STATIC_CHECK(nanoseconds(2min) == 1.2e11);
}
