# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Configures, builds and tests the outside project, and compares ctest's results of its two tests with HOLDS and VIOLATED.
function(run)  # prints nothing if the command succeeds; its output is then in `output`
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "failed (${result}): ${ARGV}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# CMake writes joined units into the build folder. With relative paths ccache finds those of one way of building in the other.
if(NOT DEFINED ENV{CCACHE_BASEDIR})
    set(ENV{CCACHE_BASEDIR} "${BINARY}")
endif()
file(REMOVE_RECURSE "${BINARY}")
run("${CMAKE_COMMAND}" -S "${PROJECT}" -B "${BINARY}" -G "${GENERATOR}"
    -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    -D "CMAKE_BUILD_TYPE=${BUILD_TYPE}" -D "CMAKE_CXX_FLAGS=${FLAGS}"
    -D "WAY=${WAY}" -D "PERFSPEC_SOURCE=${PERFSPEC_SOURCE}" -D "CMAKE_PREFIX_PATH=${PREFIX}"
    -D PERFSPEC_TORCH=OFF -D PERFSPEC_CUDA=OFF ${OPTIONS})
run("${CMAKE_COMMAND}" --build "${BINARY}")

execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY}" --output-on-failure OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
foreach(expected IN ITEMS "consumer:a claim that holds [.* ]*${HOLDS} " "consumer:a claim that is violated [.* ]*${VIOLATED} " "out of 2\n")
    if(NOT output MATCHES "${expected}")
        message(FATAL_ERROR "expected in the output of ctest above: ${expected}")
    endif()
endforeach()

# An installed library is linked without compiling, but not into a program that it does not fit.
if(WAY STREQUAL "find_package" AND HOLDS STREQUAL "Passed" AND NOT OPTIONS)
    if(EXISTS "${BINARY}/libperfspec.a")
        message(FATAL_ERROR "the installed library was compiled again, in ${BINARY}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" --target consumer_debug_containers
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result EQUAL 0 OR NOT output MATCHES "perfspec_was_compiled_without_GLIBCXX_DEBUG")
        message("${output}")
        message(FATAL_ERROR "a program with debug containers was linked with the installed library (${result})")
    endif()
    run("${CMAKE_COMMAND}" -D PERFSPEC_FROM_SOURCE=ON "${BINARY}")
    if(NOT output MATCHES "perfspec: compiled from source here, because PERFSPEC_FROM_SOURCE is ON")
        message(FATAL_ERROR "PERFSPEC_FROM_SOURCE changes nothing: ${output}")
    endif()
    file(WRITE "${BINARY}/other/Catch2Config.cmake" "include(\"${CATCH2}/Catch2Config.cmake\")")
    file(WRITE "${BINARY}/other/Catch2ConfigVersion.cmake" "set(PACKAGE_VERSION 3.4.99)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)")
    run("${CMAKE_COMMAND}" -D PERFSPEC_FROM_SOURCE=OFF -D "Catch2_DIR=${BINARY}/other" "${BINARY}")
    if(NOT output MATCHES "compiled from source here, because Catch2 is 3.4.99")
        message(FATAL_ERROR "another Catch2 is linked with the installed library: ${output}")
    endif()
endif()

# Subjects in Python run with the module beside the headers that the project was compiled with, from another folder than that of the project.
find_program(python3 python3)
set(headers "${PERFSPEC_SOURCE}/include")
if(WAY STREQUAL "find_package")
    set(headers "${PREFIX}")
endif()
if(python3 AND HOLDS STREQUAL "Passed")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PERFSPEC_PYTHON=${python3}" "CONSUMER_HEADERS=${headers}" "${BINARY}/consumer_python"
        WORKING_DIRECTORY / RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "the program above has subjects in Python, whose claim holds; it ended with ${result}")
    endif()
endif()

# The properties that perfspec_discover_tests promises, as ctest has them.
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY}" --show-only=json-v1 OUTPUT_VARIABLE tests)
foreach(index IN ITEMS 0 1)
    string(JSON properties GET "${tests}" tests ${index} properties)
    string(REGEX REPLACE "[ \n]+" " " properties "${properties}")
    foreach(expected IN ITEMS
        [=["ENVIRONMENT", "value" : [ "CONSUMER=a b", "PROGRAM=consumer_python", "OMP_WAIT_POLICY=passive" ]]=]
        [=["LABELS", "value" : [ "perf", "slow", "two words" ]]=]
        [=["RESOURCE_LOCK", "value" : [ "perfspec_machine" ]]=]
        [=["RUN_SERIAL", "value" : true]=]
        [=["SKIP_RETURN_CODE", "value" : 77]=]
        [=["TIMEOUT", "value" : 1500]=])
        string(FIND "${properties}" "${expected}" at)
        if(at EQUAL -1)
            message(FATAL_ERROR "expected among the properties of test ${index}: ${expected}\nfound: ${properties}")
        endif()
    endforeach()
endforeach()
