# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# The output of each numbered example is beside its source, as output.txt. Their targets are made after this folder's; a generator expression is
# evaluated when all are there. A verdict in them that differs is a difference: see compare_output.cpp.
if(NOT PERFSPEC_BUILD_EXAMPLES)
    return()
endif()
set(examples "${PROJECT_SOURCE_DIR}/examples")

foreach(example IN ITEMS 01_first_assertion 02_old_against_new 04_fresh_input 05_own_main)
    perfspec_add_recorded(NAME "example ${example}" EXAMPLE RECORDING "${examples}/${example}/output.txt"
        COMMAND $<TARGET_FILE:example_${example}> --success)
endforeach()

# A tenth slower: the failure, without an option.
perfspec_add_recorded(NAME "example 02_old_against_new, slower" EXAMPLE RECORDING "${examples}/02_old_against_new/output_slower.txt"
    COMMAND "${CMAKE_COMMAND}" -E env EXAMPLE_SLOWER=1 $<TARGET_FILE:example_02_old_against_new>)

# Two runs: one records into its own folder, forced to accept any spread of processes, and one compares with that.
set(baselines "${CMAKE_CURRENT_BINARY_DIR}/example_03_baselines")
perfspec_add_recorded(NAME "example 03_stored_baseline, recording" EXAMPLE RECORDING "${examples}/03_stored_baseline/output_recording.txt"
    COMMAND "${CMAKE_COMMAND}" -E env PERFSPEC_UPDATE_BASELINES=all PERFSPEC_RECORD_ANYWAY=on "PERFSPEC_BASELINE_DIR=${baselines}"
        $<TARGET_FILE:example_03_stored_baseline>)
perfspec_add_recorded(NAME "example 03_stored_baseline" EXAMPLE RECORDING "${examples}/03_stored_baseline/output.txt"
    COMMAND "${CMAKE_COMMAND}" -E env "PERFSPEC_BASELINE_DIR=${baselines}" $<TARGET_FILE:example_03_stored_baseline> --success)
add_test(NAME "recorded: example 03_stored_baseline, no baselines" COMMAND "${CMAKE_COMMAND}" -E rm -rf "${baselines}")
set_tests_properties("recorded: example 03_stored_baseline, no baselines" PROPERTIES LABELS recorded FIXTURES_SETUP example_03_empty)
set_tests_properties("recorded: example 03_stored_baseline, recording" PROPERTIES
    FIXTURES_REQUIRED example_03_empty FIXTURES_SETUP example_03_baselines)
set_tests_properties("recorded: example 03_stored_baseline" PROPERTIES FIXTURES_REQUIRED example_03_baselines)

if(PERFSPEC_BUILD_SLOW_TESTS)
    perfspec_add_recorded(NAME "example 06_without_framework" EXAMPLE RECORDING "${examples}/06_without_framework/output.txt"
        COMMAND $<TARGET_FILE:example_06_without_framework>)
endif()

# Two builds, each against the other.
perfspec_add_recorded(NAME "example 08_baseline_build" EXAMPLE RECORDING "${examples}/08_baseline_build/output.txt"
    COMMAND "${CMAKE_COMMAND}" -E env "PERFSPEC_BASELINE_BUILD=$<TARGET_FILE:example_08_baseline_build_slower>" $<TARGET_FILE:example_08_baseline_build> --success)
perfspec_add_recorded(NAME "example 08_baseline_build, slower" EXAMPLE RECORDING "${examples}/08_baseline_build/output_slower.txt"
    COMMAND "${CMAKE_COMMAND}" -E env "PERFSPEC_BASELINE_BUILD=$<TARGET_FILE:example_08_baseline_build>" $<TARGET_FILE:example_08_baseline_build_slower>)
