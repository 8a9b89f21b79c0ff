# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Builds the project of the page on one's own model (include/perfspec/libtorch/README.md), with a Python without torch. It can export nothing: ctest has
# to skip the test, and a file beside each package has to have the reason.
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "failed (${result}): ${ARGV}")
    endif()
endfunction()

# The first block of the page in that language.
function(block_of page language block)
    string(FIND "${page}" "```${language}\n" from)
    string(SUBSTRING "${page}" ${from} -1 rest)
    string(LENGTH "```${language}\n" fence)
    string(SUBSTRING "${rest}" ${fence} -1 rest)
    string(FIND "${rest}" "```" to)
    string(SUBSTRING "${rest}" 0 ${to} rest)
    set(${block} "${rest}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${BINARY}")
file(READ "${PAGE}" page)
block_of("${page}" python models)
block_of("${page}" cmake lists)
block_of("${page}" cpp test)
file(WRITE "${BINARY}/project/models.py" "${models}")
file(WRITE "${BINARY}/project/model_test.cpp" "${test}")
file(WRITE "${BINARY}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.16)\nproject(own_model LANGUAGES CXX)\nenable_testing()\n${lists}")
set(python "${BINARY}/python_without_torch")
file(WRITE "${python}" "#!/bin/sh\nexit 1\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(build "${BINARY}/build")
run("${CMAKE_COMMAND}" -S "${BINARY}/project" -B "${build}" -G "${GENERATOR}" -D CMAKE_BUILD_TYPE=Release
    -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -D "CMAKE_PREFIX_PATH=${PREFIX}"
    -D "Torch_DIR=${TORCH}" -D PERFSPEC_CUDA=OFF -D "PERFSPEC_PYTHON=${python}")
run("${CMAKE_COMMAND}" --build "${build}")

foreach(package IN ITEMS classifier.pt2 classifier.pt)
    set(reason "")
    if(EXISTS "${build}/${package}.unavailable")
        file(READ "${build}/${package}.unavailable" reason)
    endif()
    if(EXISTS "${build}/${package}" OR NOT reason STREQUAL "${python} cannot import torch, so set PERFSPEC_PYTHON to a Python that can\n")
        message(FATAL_ERROR "expected no ${package}, and ${package}.unavailable to say that ${python} cannot import torch; it says \"${reason}\"")
    endif()
endforeach()

execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" --output-on-failure RESULT_VARIABLE result OUTPUT_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0 OR NOT output MATCHES "the classifier [.* ]*Skipped ")
    message(FATAL_ERROR "expected ctest above to skip \"the classifier\"; it ended with ${result}")
endif()
execute_process(COMMAND "${build}/model_perf_tests" WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(NOT output MATCHES "the build did not make classifier.pt: ${python} cannot import torch")
    message(FATAL_ERROR "expected the program above to say why nothing was judged")
endif()
