# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
include("${CMAKE_CURRENT_LIST_DIR}/PerfspecWriteFile.cmake")

# perfspec_export_model(TARGET name MODEL name MODELS file [BATCH n] [THREADS n] [MODE frozen|unfrozen|max-autotune] [DTYPE type] [AUTOCAST type]
#                       [CHANNELS_LAST ON|OFF] [COLD ON|OFF] [DYNAMIC dimension=min..max…] [DEVICE cpu|cuda] [KERNEL_PROFILING ON|OFF] [WEIGHTS file] [OUTPUT file]
#                       [DEPENDS file…] [SCRIPT file])
#
# Compiles a model into an AOTInductor package as part of the build, by perfspec's export.py or a SCRIPT with its arguments; or, with an OUTPUT that ends
# in .pt, traces it into a TorchScript file. The options are those of export.py, which explains them: python3 export.py --help.
#  - The target's property PERFSPEC_PACKAGE is the package, OUTPUT or <build folder>/<TARGET>.pt2; beside it lies <package>.json.
#  - It is compiled again when the script, MODELS, WEIGHTS, DEPENDS, PyTorch, the compiler or the processor change.
#  - Under Ninja one package is compiled at a time: each needs up to 1.3 GB and every core.
#  - THREADS is the number of threads of the process that runs the package (default: PyTorch's own number on this machine).
#  - With COLD the compiler begins with an empty cache, so that compile_time(x) is that of a first compilation.
#  - With KERNEL_PROFILING the package reports each kernel to profilers, for kernels, operators and profile. That costs some time: judge
#    latency by a package without.
# The Python is PERFSPEC_PYTHON, else PERFSPEC_TORCH_PYTHON, else the one in whose site-packages the found LibTorch lies. Without a Python that
# imports the same torch the target makes nothing, and <TARGET>_UNAVAILABLE has the reason; otherwise it is empty. OUTPUT.unavailable has the
# reason, too, so that claims on the package are skipped, with this reason, instead of failing.
#
#     perfspec_export_model(TARGET resnet50_b1 MODEL resnet50 MODELS models.py WEIGHTS ${weights})
#     add_dependencies(my_perf_tests resnet50_b1)
function(perfspec_export_model)
    set(one_value TARGET MODEL SCRIPT MODELS BATCH THREADS MODE DTYPE AUTOCAST CHANNELS_LAST COLD DEVICE KERNEL_PROFILING WEIGHTS OUTPUT)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one_value}" "DYNAMIC;DEPENDS")
    if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES OR NOT arg_TARGET OR NOT arg_MODEL OR NOT arg_MODELS)
        message(FATAL_ERROR "perfspec_export_model needs TARGET, MODEL and MODELS, and takes BATCH THREADS MODE DTYPE AUTOCAST CHANNELS_LAST COLD DYNAMIC DEVICE "
            "KERNEL_PROFILING WEIGHTS OUTPUT DEPENDS SCRIPT; found \"${ARGV}\"")
    endif()
    if(NOT arg_SCRIPT)
        get_target_property(folders perfspec::headers INTERFACE_INCLUDE_DIRECTORIES)
        string(REGEX REPLACE ".*BUILD_INTERFACE:([^>]*)>.*" "\\1" folders "${folders}")
        list(GET folders 0 folder)
        set(arg_SCRIPT "${folder}/perfspec/libtorch/export/export.py")
    endif()
    get_filename_component(script_folder "${arg_SCRIPT}" DIRECTORY)
    file(GLOB parts CONFIGURE_DEPENDS "${script_folder}/perfspec_export_*.py")
    perfspec_find_export_python(python reason)
    set(${arg_TARGET}_UNAVAILABLE "${reason}" PARENT_SCOPE)
    if(NOT arg_OUTPUT)
        set(arg_OUTPUT "${arg_TARGET}.pt2")
    endif()
    get_filename_component(arg_OUTPUT "${arg_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    if(reason)
        message(STATUS "perfspec: there will be no package ${arg_TARGET}, so its tests are skipped: ${reason}")
        perfspec_write_file("${arg_OUTPUT}.unavailable" "${reason}\n")
        add_custom_target(${arg_TARGET})
        set_target_properties(${arg_TARGET} PROPERTIES PERFSPEC_PACKAGE "${arg_OUTPUT}" PERFSPEC_UNAVAILABLE "${reason}")
        return()
    endif()
    file(REMOVE "${arg_OUTPUT}.unavailable")

    foreach(file IN ITEMS SCRIPT MODELS WEIGHTS)
        if(arg_${file})
            get_filename_component(arg_${file} "${arg_${file}}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
        endif()
    endforeach()
    set(options --models "${arg_MODELS}" --model "${arg_MODEL}" --output "${arg_OUTPUT}")
    foreach(option IN ITEMS BATCH THREADS MODE DTYPE AUTOCAST DEVICE WEIGHTS)
        if(arg_${option})
            string(TOLOWER "--${option}" name)
            list(APPEND options ${name} "${arg_${option}}")
        endif()
    endforeach()

    if(arg_KERNEL_PROFILING)
        list(APPEND options --kernel-profiling)
    endif()
    if(arg_CHANNELS_LAST)
        list(APPEND options --channels-last)
    endif()
    if(arg_COLD)
        list(APPEND options --cold)
    endif()
    foreach(dimension IN LISTS arg_DYNAMIC)
        list(APPEND options --dynamic "${dimension}")
    endforeach()

    perfspec_export_fingerprint(fingerprint compiler)
    set(pool "")
    if(CMAKE_GENERATOR MATCHES "Ninja")
        get_property(pools GLOBAL PROPERTY JOB_POOLS)
        if(NOT "perfspec_aoti=1" IN_LIST pools)
            set_property(GLOBAL APPEND PROPERTY JOB_POOLS perfspec_aoti=1)
        endif()
        set(pool JOB_POOL perfspec_aoti)
    endif()
    add_custom_command(
        OUTPUT "${arg_OUTPUT}"
        BYPRODUCTS "${arg_OUTPUT}.json"
        COMMAND "${CMAKE_COMMAND}" -E env "CXX=${compiler}" "${python}" "${arg_SCRIPT}" ${options}
        DEPENDS "${arg_SCRIPT}" ${parts} "${arg_MODELS}" ${arg_WEIGHTS} ${arg_DEPENDS} "${fingerprint}"
        COMMENT "Exporting ${arg_TARGET}"
        ${pool} VERBATIM)
    add_custom_target(${arg_TARGET} DEPENDS "${arg_OUTPUT}")
    set_target_properties(${arg_TARGET} PROPERTIES PERFSPEC_PACKAGE "${arg_OUTPUT}")
endfunction()

# Sets <python> to a Python whose torch is the found LibTorch, or <reason> to why there is none. Imports torch once for each Python: that takes seconds.
# The reason becomes a compile definition of tests, so it holds no semicolon.
function(perfspec_find_export_python python reason)
    set(${reason} "" PARENT_SCOPE)
    if(PERFSPEC_PYTHON)
        set(candidate "${PERFSPEC_PYTHON}")
    elseif(PERFSPEC_TORCH_PYTHON)
        set(candidate "${PERFSPEC_TORCH_PYTHON}")
    else()
        # <prefix>/lib/python3.x/site-packages/torch/share/cmake/Torch
        get_filename_component(candidate "${Torch_DIR}/../../../../../../../bin/python3" ABSOLUTE)
    endif()
    if(NOT EXISTS "${candidate}")
        set(${reason} "there is no Python at ${candidate}, so set PERFSPEC_PYTHON to one that has torch" PARENT_SCOPE)
        return()
    endif()
    if(NOT "${perfspec_export_python_checked}" STREQUAL "${candidate}")
        execute_process(COMMAND "${candidate}" -W ignore -c "import torch; print(torch.__version__)"
            OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
        set(perfspec_export_python_checked "${candidate}" CACHE INTERNAL "the Python whose torch was checked")
        set(perfspec_export_python_torch "${version}" CACHE INTERNAL "the version of its torch")
    endif()
    string(REGEX MATCH "^[0-9.]+" version "${perfspec_export_python_torch}")
    string(REGEX MATCH "^[0-9.]+" linked "${Torch_VERSION}")
    if(version STREQUAL "")
        set(${reason} "${candidate} cannot import torch, so set PERFSPEC_PYTHON to a Python that can" PARENT_SCOPE)
    elseif(linked AND NOT version VERSION_EQUAL linked)
        set(${reason} "${candidate} has torch ${version}, but LibTorch here is ${linked}, so set PERFSPEC_PYTHON to its Python" PARENT_SCOPE)
    endif()
    set(${python} "${candidate}" PARENT_SCOPE)
endfunction()

# A file that changes when a package has to be compiled again without a change of its sources, and the compiler for Inductor: g++, because its code
# needs OpenMP, which every g++ has and other compilers may lack.
function(perfspec_export_fingerprint file compiler)
    find_program(PERFSPEC_AOTI_CXX NAMES g++ DOC "Compiler of AOTInductor packages")
    if(NOT PERFSPEC_AOTI_CXX)
        set(PERFSPEC_AOTI_CXX "${CMAKE_CXX_COMPILER}")
    endif()
    execute_process(COMMAND "${PERFSPEC_AOTI_CXX}" --version OUTPUT_VARIABLE compiler_version ERROR_QUIET)
    set(flags "")
    if(EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo flags REGEX "^(flags|Features)" LIMIT_COUNT 1)
    endif()
    set(path "${CMAKE_BINARY_DIR}/perfspec_aoti_fingerprint.txt")
    perfspec_write_file("${path}" "torch ${perfspec_export_python_torch}\ncompiler ${compiler_version}\ncpu ${flags}\n")
    set(${file} "${path}" PARENT_SCOPE)
    set(${compiler} "${PERFSPEC_AOTI_CXX}" PARENT_SCOPE)
endfunction()
