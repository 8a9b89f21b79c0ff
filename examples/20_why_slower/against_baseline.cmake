# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# cmake -D PROGRAM=example_20_why_slower -D FOLDER=recorded -P against_baseline.cmake
# Records a baseline of a training step in FOLDER, then judges the step with its slow patch, and fails unless the claim is violated and
# the first operator of its table is a convolution. "skipped:" where nothing is recorded, or where the machine cannot tell.
cmake_minimum_required(VERSION 3.22)
set(run "${PROGRAM}" "[baseline]" --perf-baseline-dir "${FOLDER}" --perf-baseline-processes 10)
file(REMOVE_RECURSE "${FOLDER}")

unset(ENV{EXAMPLE_SLOWER})
execute_process(COMMAND ${run} --perf-update-baselines --perf-record-anyway OUTPUT_VARIABLE told ERROR_VARIABLE told RESULT_VARIABLE code)
message("${told}")
file(GLOB_RECURSE files "${FOLDER}/*.json")
if(NOT files)
    message("skipped: nothing was recorded, because this build or machine is skipped (exit code ${code})")
    return()
endif()
file(READ ${files} recorded)
if(NOT recorded MATCHES "\"operators\": {\"settings\": \"[0-9]+ threads?\", \"longest\": {\"aten::")
    message(FATAL_ERROR "no operators in ${files}:\n${recorded}")
endif()

set(ENV{EXAMPLE_SLOWER} 1)
execute_process(COMMAND ${run} OUTPUT_VARIABLE told ERROR_VARIABLE told RESULT_VARIABLE code)
message("${told}")
if(told MATCHES "undecided")
    message("skipped: this machine does too much besides to tell")
    return()
endif()
if(code EQUAL 0 OR NOT told MATCHES "violated.*step +more than the baseline[\r\n]+ +aten::[a-z0-9_]*conv")
    message(FATAL_ERROR "expected a violated claim whose first operator is a convolution (exit code ${code})")
endif()
