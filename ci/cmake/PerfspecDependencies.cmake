# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Finds perfspec's dependencies by their own CMake files. Uses a target that the including project has made already, and downloads nothing. Found
# targets are global, because targets in other folders that link perfspec need them, too.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)  # from CMake 3.24 on

# Makes found targets global, for CMake before 3.24: all of a package, since it refuses to be found again where some are known. CMake refuses targets that
# the including project found.
function(perfspec_make_global)
    get_property(found_here DIRECTORY PROPERTY IMPORTED_TARGETS)  # empty before CMake 3.21
    foreach(target IN LISTS ARGN)
        if(TARGET ${target} AND (target IN_LIST found_here OR CMAKE_VERSION VERSION_LESS 3.21))
            get_target_property(imported ${target} IMPORTED)
            get_target_property(aliased ${target} ALIASED_TARGET)
            if(imported AND NOT aliased)
                set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
            endif()
        endif()
    endforeach()
endfunction()

# perfspec_require(<package> <version> <target> APT <apt package>)
function(perfspec_require package version target)
    cmake_parse_arguments(arg "" "APT;NOTE" "" ${ARGN})
    if(NOT TARGET ${target})
        find_package(${package} ${version} QUIET CONFIG)
        set(${package}_VERSION "${${package}_VERSION}" PARENT_SCOPE)
        perfspec_make_global(${target} ${package}::${package})
    endif()
    if(TARGET ${target})
        return()
    endif()
    if(${package}_CONSIDERED_VERSIONS)
        set(found "CMake found only version ${${package}_CONSIDERED_VERSIONS}.")
    else()
        set(found "CMake found none.")
    endif()
    message(FATAL_ERROR
        "perfspec needs ${package} ${version} or newer (target ${target}). ${found}\n"
        "  Debian, Ubuntu:      apt-get install ${arg_APT}${arg_NOTE}\n"
        "  in another folder:   cmake -D CMAKE_PREFIX_PATH=<prefix of the installation>, or -D ${package}_DIR=<folder of its CMake package>\n"
        "  to work on perfspec: ./ci/setup  also installs what its own tests need, which is much more\n")
endfunction()

perfspec_require(fmt 9 fmt::fmt-header-only APT libfmt-dev)
perfspec_require(nlohmann_json 3.11 nlohmann_json::nlohmann_json APT nlohmann-json3-dev)
perfspec_require(Catch2 3.4 Catch2::Catch2WithMain APT catch2 NOTE "  (on Debian 12: -t bookworm-backports)")
if(PERFSPEC_BUILD_TESTS AND PERFSPEC_BUILD_SLOW_TESTS)
    perfspec_require(Boost 1.74 Boost::headers APT "libboost-dev libboost-math-dev")  # tests/calibration/exact_limits.cpp
    perfspec_require(CLI11 2.1 CLI11::CLI11 APT libcli11-dev)  # tests/calibration/perfspec_replay
endif()
if(NOT TARGET Threads::Threads)
    find_package(Threads REQUIRED)
    perfspec_make_global(Threads::Threads)
endif()

# catch_discover_tests comes with Catch2's package; a Catch2 that the including project builds itself keeps it in its source folder.
if(NOT COMMAND catch_discover_tests)
    list(APPEND CMAKE_MODULE_PATH "${Catch2_DIR}" "${Catch2_SOURCE_DIR}/extras")
    include(Catch)
    # The targets are global now, so that Catch2's package does not add its folder again for an including project that looks for it later.
    if(NOT perfspec_is_top_level AND Catch2_DIR)
        get_directory_property(perfspec_parent PARENT_DIRECTORY)
        get_directory_property(perfspec_modules DIRECTORY "${perfspec_parent}" DEFINITION CMAKE_MODULE_PATH)
        list(APPEND perfspec_modules "${Catch2_DIR}")
        set(CMAKE_MODULE_PATH "${perfspec_modules}" PARENT_SCOPE)
    endif()
endif()

# perfspec_wanted(<ON, OFF or AUTO> <name>): whether to look for an optional package
function(perfspec_wanted option result)
    if(NOT "${${option}}" MATCHES "^(AUTO|ON|OFF)$")
        message(FATAL_ERROR "${option} is \"${${option}}\"; it can be AUTO (used if it is found), ON (an error if it is not found) or OFF.")
    endif()
    if("${${option}}" STREQUAL "OFF")
        set(${result} FALSE PARENT_SCOPE)
    else()
        set(${result} TRUE PARENT_SCOPE)
    endif()
endfunction()

perfspec_wanted(PERFSPEC_TORCH perfspec_want_torch)
set(perfspec_with_torch FALSE)
if(perfspec_want_torch)
    if(perfspec_is_top_level)
        include("${CMAKE_CURRENT_LIST_DIR}/PerfspecTorchHints.cmake")  # where ci/setup put it, or $ENV{PERFSPEC_TORCH_ROOT}
    endif()
    if(NOT TARGET torch)
        # LibTorch's files warn about a library kineto that is inside libtorch_cpu anyway; QUIET does not reach that message.
        set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
        find_package(Torch 2.6 CONFIG QUIET PATHS ${perfspec_torch_hints})
        unset(CMAKE_MESSAGE_LOG_LEVEL)
        perfspec_make_global(torch torch_library torch_cpu torch_cuda c10 c10_cuda)
    endif()
    if(TARGET torch)
        set(perfspec_with_torch TRUE)
    elseif(PERFSPEC_TORCH STREQUAL "ON")
        message(FATAL_ERROR
            "PERFSPEC_TORCH is ON, but CMake found no LibTorch 2.6 or newer.\n"
            "  everything at once:      ./ci/setup  (in perfspec's source folder)\n"
            "  a LibTorch or PyTorch:   cmake -D CMAKE_PREFIX_PATH=$(python -c 'import torch; print(torch.utils.cmake_prefix_path)')\n"
            "  without LibTorch:        cmake -D PERFSPEC_TORCH=OFF\n")
    endif()
endif()

perfspec_wanted(PERFSPEC_TOOL perfspec_want_tool)
set(perfspec_with_tool FALSE)
if(perfspec_want_tool)
    if(NOT TARGET CLI11::CLI11)
        find_package(CLI11 2.1 QUIET CONFIG)
    endif()
    if(TARGET CLI11::CLI11)
        set(perfspec_with_tool TRUE)
    elseif(PERFSPEC_TOOL STREQUAL "ON")
        perfspec_require(CLI11 2.1 CLI11::CLI11 APT libcli11-dev NOTE "\n  without the tool:    cmake -D PERFSPEC_TOOL=OFF")
    else()
        message(STATUS "perfspec: the tool `perfspec` is left out, because CMake found no CLI11 2.1 or newer: apt-get install libcli11-dev")
    endif()
endif()

perfspec_wanted(PERFSPEC_CUDA perfspec_want_cuda)
set(perfspec_with_cuda FALSE)
if(perfspec_want_cuda)
    if(NOT TARGET CUDA::cudart)
        find_package(CUDAToolkit 12.4 QUIET)
        perfspec_make_global(CUDA::cudart)
    endif()
    if(TARGET CUDA::cudart)
        set(perfspec_with_cuda TRUE)
    elseif(PERFSPEC_CUDA STREQUAL "ON")
        message(FATAL_ERROR
            "PERFSPEC_CUDA is ON, but CMake found no CUDA Toolkit 12.4 or newer.\n"
            "  in another folder:           cmake -D CUDAToolkit_ROOT=<folder with bin/nvcc>\n"
            "  without CUDA:                cmake -D PERFSPEC_CUDA=OFF\n")
    endif()
endif()

# Printed once in a build folder, and again after a change. What is switched off is left out without a word.
set(perfspec_found "${PROJECT_VERSION}: Catch2 ${Catch2_VERSION}")
foreach(adapter IN ITEMS "LibTorch;Torch;libtorch;torch" "CUDA Toolkit;CUDAToolkit;cuda;cuda")
    list(GET adapter 0 name)
    list(GET adapter 1 package)
    list(GET adapter 2 target)
    list(GET adapter 3 variable)
    if(perfspec_with_${variable})
        string(APPEND perfspec_found ", ${name} ${${package}_VERSION}")
    elseif(perfspec_want_${variable})
        string(APPEND perfspec_found ", no ${name}: perfspec::${target} is left out")
    endif()
endforeach()
include(FindPackageMessage)
find_package_message(perfspec "perfspec ${perfspec_found}" "${perfspec_found}")
