# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# cmake -D PROGRAM=example_models -D TOOL=perfspec -D RESULTS=alone.jsonl -P check_correlation.cmake
# Records each layer of the small model alone, and fails unless `perfspec report --correlate` has the six layers' speedups and their parameters.
cmake_minimum_required(VERSION 3.22)
file(REMOVE "${RESULTS}")
execute_process(COMMAND "${PROGRAM}" "[alone]" --perf-output "${RESULTS}" RESULT_VARIABLE code)
if(code EQUAL 77)
    message("skipped: the program did not judge its layers")
    return()
elseif(NOT code EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with ${code}")
endif()

execute_process(COMMAND "${TOOL}" report "${RESULTS}" --quiet --correlate parameters OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
message("${table}")
if(NOT table MATCHES "\nspeedup +example_models / layers of models alone, compiled against eager +6 +-?[01]\\.[0-9][0-9] \\(.* \\.\\. .*\\) +[0-6] +[0-6] +[0-6]")
    message(FATAL_ERROR "expected a row of the speedups of six layers, with a correlation and three counts")
endif()
