// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What perfspec knows of CUPTI's Range Profiler, against the toolkit's headers and library. The library counts nothing
// without a GPU, but it knows what each chip counts.
#include <perfspec/cuda/counted/counting_host.hpp>
#include <perfspec/cuda/counted/counting_library.hpp>
#include <perfspec/cuda/counted/counting_plan.hpp>
#include <perfspec/measure/failure.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <string>
#include <vector>

#if PERFSPEC_TEST_CUPTI_HEADER
#    include <cupti.h>
#    if __has_include(<cupti_range_profiler.h>)  // from CUDA 12.6 on
#        include <cupti_profiler_host.h>
#        include <cupti_profiler_target.h>
#        include <cupti_range_profiler.h>
#        include <cupti_target.h>
#        define PERFSPEC_TEST_RANGE_PROFILER 1
#    endif
#endif

namespace perfspec::detail {

#if PERFSPEC_TEST_RANGE_PROFILER
#    define PERFSPEC_TEST_SAME(OURS, MEMBER, THEIRS, THEIR_MEMBER)                \
        static_assert(offsetof(OURS, MEMBER) == offsetof(THEIRS, THEIR_MEMBER) && \
                      sizeof(OURS::MEMBER) == sizeof(THEIRS::THEIR_MEMBER))
#    define PERFSPEC_TEST_KNOWN(OURS, THEIRS)                                                                      \
        TEST_CASE(#OURS " is as long as CUPTI's", "[cuda][unit]") { CHECK(OURS{}.known == THEIRS##_STRUCT_SIZE); } \
        static_assert(sizeof(OURS) == sizeof(THEIRS))

PERFSPEC_TEST_KNOWN(cupti_initialize, CUpti_Profiler_Initialize_Params);
PERFSPEC_TEST_KNOWN(cupti_chip_name, CUpti_Device_GetChipName_Params);
PERFSPEC_TEST_SAME(cupti_chip_name, device, CUpti_Device_GetChipName_Params, deviceIndex);
PERFSPEC_TEST_SAME(cupti_chip_name, name, CUpti_Device_GetChipName_Params, pChipName);
PERFSPEC_TEST_KNOWN(cupti_host_begin, CUpti_Profiler_Host_Initialize_Params);
PERFSPEC_TEST_SAME(cupti_host_begin, profiler, CUpti_Profiler_Host_Initialize_Params, profilerType);
PERFSPEC_TEST_SAME(cupti_host_begin, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
PERFSPEC_TEST_SAME(cupti_host_begin, available, CUpti_Profiler_Host_Initialize_Params, pCounterAvailabilityImage);
PERFSPEC_TEST_SAME(cupti_host_begin, host, CUpti_Profiler_Host_Initialize_Params, pHostObject);
PERFSPEC_TEST_KNOWN(cupti_host_end, CUpti_Profiler_Host_Deinitialize_Params);
PERFSPEC_TEST_SAME(cupti_host_end, host, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);
PERFSPEC_TEST_KNOWN(cupti_host_names, CUpti_Profiler_Host_GetBaseMetrics_Params);
PERFSPEC_TEST_SAME(cupti_host_names, kind, CUpti_Profiler_Host_GetBaseMetrics_Params, metricType);
PERFSPEC_TEST_SAME(cupti_host_names, names, CUpti_Profiler_Host_GetBaseMetrics_Params, ppMetricNames);
PERFSPEC_TEST_SAME(cupti_host_names, count, CUpti_Profiler_Host_GetBaseMetrics_Params, numMetrics);
PERFSPEC_TEST_KNOWN(cupti_host_add, CUpti_Profiler_Host_ConfigAddMetrics_Params);
PERFSPEC_TEST_SAME(cupti_host_add, names, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
PERFSPEC_TEST_SAME(cupti_host_add, count, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);
PERFSPEC_TEST_KNOWN(cupti_host_size, CUpti_Profiler_Host_GetConfigImageSize_Params);
PERFSPEC_TEST_SAME(cupti_host_size, size, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize);
PERFSPEC_TEST_KNOWN(cupti_host_config, CUpti_Profiler_Host_GetConfigImage_Params);
PERFSPEC_TEST_SAME(cupti_host_config, size, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
PERFSPEC_TEST_SAME(cupti_host_config, config, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);
PERFSPEC_TEST_KNOWN(cupti_host_passes, CUpti_Profiler_Host_GetNumOfPasses_Params);
PERFSPEC_TEST_SAME(cupti_host_passes, size, CUpti_Profiler_Host_GetNumOfPasses_Params, configImageSize);
PERFSPEC_TEST_SAME(cupti_host_passes, config, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
PERFSPEC_TEST_SAME(cupti_host_passes, passes, CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);
PERFSPEC_TEST_KNOWN(cupti_host_values, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
PERFSPEC_TEST_SAME(cupti_host_values, data, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage);
PERFSPEC_TEST_SAME(cupti_host_values, size, CUpti_Profiler_Host_EvaluateToGpuValues_Params, counterDataImageSize);
PERFSPEC_TEST_SAME(cupti_host_values, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
PERFSPEC_TEST_SAME(cupti_host_values, names, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
PERFSPEC_TEST_SAME(cupti_host_values, count, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics);
PERFSPEC_TEST_SAME(cupti_host_values, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
PERFSPEC_TEST_KNOWN(cupti_range_enable, CUpti_RangeProfiler_Enable_Params);
PERFSPEC_TEST_SAME(cupti_range_enable, context, CUpti_RangeProfiler_Enable_Params, ctx);
PERFSPEC_TEST_SAME(cupti_range_enable, profiler, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
PERFSPEC_TEST_KNOWN(cupti_range_call, CUpti_RangeProfiler_Disable_Params);
PERFSPEC_TEST_SAME(cupti_range_call, profiler, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
PERFSPEC_TEST_SAME(cupti_range_call, profiler, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
PERFSPEC_TEST_SAME(cupti_range_call, profiler, CUpti_RangeProfiler_PopRange_Params, pRangeProfilerObject);
PERFSPEC_TEST_KNOWN(cupti_range_size, CUpti_RangeProfiler_GetCounterDataSize_Params);
PERFSPEC_TEST_SAME(cupti_range_size, names, CUpti_RangeProfiler_GetCounterDataSize_Params, pMetricNames);
PERFSPEC_TEST_SAME(cupti_range_size, count, CUpti_RangeProfiler_GetCounterDataSize_Params, numMetrics);
PERFSPEC_TEST_SAME(cupti_range_size, most_ranges, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumOfRanges);
PERFSPEC_TEST_SAME(cupti_range_size, most_nodes, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumRangeTreeNodes);
PERFSPEC_TEST_SAME(cupti_range_size, size, CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize);
PERFSPEC_TEST_KNOWN(cupti_range_data, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
PERFSPEC_TEST_SAME(cupti_range_data, size, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, counterDataSize);
PERFSPEC_TEST_SAME(cupti_range_data, data, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, pCounterData);
PERFSPEC_TEST_KNOWN(cupti_range_config, CUpti_RangeProfiler_SetConfig_Params);
PERFSPEC_TEST_SAME(cupti_range_config, config_size, CUpti_RangeProfiler_SetConfig_Params, configSize);
PERFSPEC_TEST_SAME(cupti_range_config, config, CUpti_RangeProfiler_SetConfig_Params, pConfig);
PERFSPEC_TEST_SAME(cupti_range_config, data_size, CUpti_RangeProfiler_SetConfig_Params, counterDataImageSize);
PERFSPEC_TEST_SAME(cupti_range_config, data, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
PERFSPEC_TEST_SAME(cupti_range_config, range, CUpti_RangeProfiler_SetConfig_Params, range);
PERFSPEC_TEST_SAME(cupti_range_config, replay, CUpti_RangeProfiler_SetConfig_Params, replayMode);
PERFSPEC_TEST_SAME(cupti_range_config, most_ranges, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass);
PERFSPEC_TEST_SAME(cupti_range_config, levels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
PERFSPEC_TEST_SAME(cupti_range_config, first_level, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel);
PERFSPEC_TEST_SAME(cupti_range_config, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);
PERFSPEC_TEST_SAME(cupti_range_config, target_level, CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel);
PERFSPEC_TEST_KNOWN(cupti_range_push, CUpti_RangeProfiler_PushRange_Params);
PERFSPEC_TEST_SAME(cupti_range_push, name, CUpti_RangeProfiler_PushRange_Params, pRangeName);
PERFSPEC_TEST_KNOWN(cupti_range_stop, CUpti_RangeProfiler_Stop_Params);
PERFSPEC_TEST_SAME(cupti_range_stop, is_last, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
PERFSPEC_TEST_KNOWN(cupti_range_decode, CUpti_RangeProfiler_DecodeData_Params);
PERFSPEC_TEST_SAME(cupti_range_decode, dropped, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
PERFSPEC_TEST_KNOWN(cupti_range_count, CUpti_RangeProfiler_GetCounterDataInfo_Params);
PERFSPEC_TEST_SAME(cupti_range_count, data, CUpti_RangeProfiler_GetCounterDataInfo_Params, pCounterDataImage);
PERFSPEC_TEST_SAME(cupti_range_count, size, CUpti_RangeProfiler_GetCounterDataInfo_Params, counterDataImageSize);
PERFSPEC_TEST_SAME(cupti_range_count, ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params, numTotalRanges);
static_assert(CUPTI_PROFILER_TYPE_RANGE_PROFILER == 0 && CUPTI_METRIC_TYPE_COUNTER == 0 && CUPTI_UserRange == 2 &&
              CUPTI_UserReplay == 3);
static_assert(CUPTI_ERROR_HARDWARE_BUSY == int{cupti_hardware_busy} &&
              CUPTI_ERROR_INSUFFICIENT_PRIVILEGES == int{cupti_no_privileges} &&
              CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES == int{cupti_no_privileges_on_virtual_device});

/// The toolkit's library; skips where there is none.
static counting_library library_of_toolkit() {
    const std::string real = PERFSPEC_TEST_CUPTI_LIBRARY;
    if (real.empty()) SKIP("this toolkit has no libcupti");
    counting_library found = load_counting_library({"libno_cupti.so.1", real});
    REQUIRE(found.fault.empty());
    return found;
}

static std::vector<const char*> names_in(const counting_plan& plan) {
    std::vector<const char*> names;
    for (const counted_number& number : plan.numbers) names.push_back(number.name.c_str());
    return names;
}

TEST_CASE("the toolkit's library knows every number that is counted, and makes a configuration of so many passes",
          "[cuda][unit]") {
    struct row {
        const char* chip;
        counted_work what;
        std::size_t passes;
    };
    const auto r = GENERATE(values<row>({{"GV100", counted_work::traffic, 1},
                                         {"TU102", counted_work::traffic, 1},
                                         {"GA100", counted_work::traffic, 1},
                                         {"GA102", counted_work::traffic, 1},
                                         {"AD102", counted_work::traffic, 1},
                                         {"GH100", counted_work::traffic, 1},
                                         {"GV100", counted_work::operations, 2},
                                         {"TU102", counted_work::operations, 2},
                                         {"GA100", counted_work::operations, 5},
                                         {"GA102", counted_work::operations, 5},
                                         {"AD102", counted_work::operations, 6},
                                         {"GH100", counted_work::operations, 5}}));
    INFO(r.chip);
    const counting_library cupti = library_of_toolkit();
    const counting_host host(cupti, r.chip);
    const counting_plan plan = plan_to_count(r.what, r.chip, host.names());
    CHECK(plan.fault.empty());
    const std::vector<std::uint8_t> config = host.config(names_in(plan));
    CHECK_FALSE(config.empty());
    CHECK(host.passes(config) == r.passes);
}

TEST_CASE("operations of tensor cores are counted on chips of these generations, and refused on newer ones",
          "[cuda][unit]") {
    struct row {
        const char* chip;
        bool are_counted;
    };
    const auto r = GENERATE(values<row>({{"GV100", true},
                                         {"TU102", true},
                                         {"GA100", true},
                                         {"GA102", true},
                                         {"AD102", true},
                                         {"GH100", true},
                                         {"GB100", false}}));
    const counting_library cupti = library_of_toolkit();
    const counting_plan plan = plan_to_count(counted_work::operations, r.chip, counting_host(cupti, r.chip).names());
    bool are_counted = true;
    for (const counted_number& number : plan.numbers) are_counted = are_counted && number.what != counted_as::uncounted;
    INFO(r.chip);
    CHECK(plan.fault.empty());
    CHECK(are_counted == r.are_counted);
}

TEST_CASE("a chip that the toolkit's library does not know is refused by name", "[cuda][unit]") {
    const counting_library cupti = library_of_toolkit();
    CHECK_THROWS_MATCHES(counting_host(cupti, "GX999"), measurement_failure,
                         Catch::Matchers::MessageMatches(
                             Catch::Matchers::StartsWith("CUPTI does not know the chip GX999: CUPTI_ERROR_")));
}
#endif

TEST_CASE("load_counting_library says where CUPTI may be, and refuses one without the Range Profiler", "[cuda][unit]") {
    CHECK(
        load_counting_library({"libno_cupti.so.1", "/nowhere/libno_cupti.so.1"}).fault ==
        "libno_cupti.so.1: cannot open shared object file: No such file or directory; add the folder of CUPTI, extras/CUPTI/lib64 of the CUDA "
        "Toolkit, to LD_LIBRARY_PATH");
    CHECK(load_counting_library({"libc.so.6", "libno_cupti.so.1"}).fault ==
          "libc.so.6 has no Range Profiler, which CUPTI has from CUDA 12.6 on: install a newer CUDA Toolkit");
}

}  // namespace perfspec::detail
