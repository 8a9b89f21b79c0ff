# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Compiles the C++ blocks of the READMEs: complete programs by themselves, others in *_blocks.cpp and cuda_blocks.cu. readme_test.cpp compares
# README.md's quotations of the examples.

# perfspec_extract_blocks(<markdown file> <prefix>): writes its n-th C++ block, n from 1, as <prefix>_<n>.inc into this folder of the build. A
# compiler's message names the place in the markdown file. Configures again when that changes.
function(perfspec_extract_blocks markdown prefix)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${markdown}")
    file(READ "${markdown}" rest)
    set(opening "\n```cpp\n")
    string(LENGTH "${opening}" opening_length)
    set(line 1)
    set(n 0)
    while(TRUE)
        string(FIND "${rest}" "${opening}" start)
        if(start EQUAL -1)
            break()
        endif()
        math(EXPR start "${start} + ${opening_length}")
        string(SUBSTRING "${rest}" 0 ${start} before)
        string(SUBSTRING "${rest}" ${start} -1 rest)
        string(FIND "${rest}" "```" end)
        string(SUBSTRING "${rest}" 0 ${end} block)
        string(REGEX REPLACE "[^\n]" "" breaks "${before}")
        string(LENGTH "${breaks}" breaks)
        math(EXPR line "${line} + ${breaks}")
        math(EXPR n "${n} + 1")
        file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${prefix}_${n}.inc" @ONLY CONTENT "#line @line@ \"@markdown@\"\n@block@")
        string(REGEX REPLACE "[^\n]" "" breaks "${block}")
        string(LENGTH "${breaks}" breaks)
        math(EXPR line "${line} + ${breaks}")
        string(SUBSTRING "${rest}" ${end} -1 rest)
    endwhile()
endfunction()

perfspec_extract_blocks("${PROJECT_SOURCE_DIR}/README.md" readme)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/README.md" language)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/measure/README.md" counts)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/callgrind/README.md" callgrind)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/report/README.md" record)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/session/README.md" adapter)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/libtorch/subjects/README.md" libtorch)
perfspec_extract_blocks("${perfspec_include_dir}/perfspec/python/README.md" python)

# perfspec_add_block_program(<name> <source…>): compiled as a user's, and run by ctest
function(perfspec_add_block_program name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE perfspec::catch2_main)
    add_test(NAME "recorded: ${name}" COMMAND ${name})
    set_tests_properties("recorded: ${name}" PROPERTIES
        LABELS "recorded;clock" TIMEOUT 120 RUN_SERIAL TRUE RESOURCE_LOCK perfspec_machine SKIP_RETURN_CODE 77)
endfunction()

file(CONFIGURE OUTPUT sort_test.cpp CONTENT "#include \"readme_1.inc\"\n")
perfspec_add_block_program(perfspec_readme_program "${CMAKE_CURRENT_BINARY_DIR}/sort_test.cpp")
perfspec_add_block_program(perfspec_readme_blocks readme_blocks.cpp)
target_link_libraries(perfspec_readme_blocks PRIVATE perfspec::callgrind perfspec::explain)
if(TARGET perfspec::libtorch)
    target_sources(perfspec_readme_blocks PRIVATE libtorch_blocks.cpp)
    target_link_libraries(perfspec_readme_blocks PRIVATE perfspec::libtorch)
endif()
# Compiled alone: their models.py is the reader's.
add_library(perfspec_python_blocks OBJECT python_blocks.cpp)
target_include_directories(perfspec_python_blocks PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_link_libraries(perfspec_python_blocks PRIVATE perfspec::python perfspec::catch2_main)
if(perfspec_with_cuda_language)
    perfspec_extract_blocks("${perfspec_include_dir}/perfspec/cuda/README.md" cuda)
    add_library(perfspec_cuda_blocks OBJECT cuda_blocks.cu)
    target_include_directories(perfspec_cuda_blocks PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(perfspec_cuda_blocks PRIVATE perfspec::catch2 perfspec::cuda)
endif()
