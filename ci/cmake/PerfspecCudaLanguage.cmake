# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# perfspec::cuda is C++; only tests and examples with kernels of their own need the CUDA compiler. Sets perfspec_with_cuda_language.
set(perfspec_with_cuda_language FALSE)
if(perfspec_with_cuda)
    include(CheckLanguage)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # code for two, and PTX for newer ones; others: -D CMAKE_CUDA_ARCHITECTURES=86
    endif()
    if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER)
        set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        if(NOT CMAKE_CUDA20_EXTENSION_COMPILE_OPTION)  # CMake 3.25.1 does not know how nvcc, from 12.0 on, is told
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
        endif()
        set(CMAKE_CUDA_STANDARD 20)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
        set(perfspec_with_cuda_language TRUE)
    elseif(PERFSPEC_CUDA STREQUAL "ON")
        message(FATAL_ERROR "PERFSPEC_CUDA is ON, but CMake found no working CUDA compiler for perfspec's tests and examples.\n"
            "  another compiler:  cmake -D CMAKE_CUDA_COMPILER=<nvcc> -D CMAKE_CUDA_HOST_COMPILER=<a C++ compiler that it supports>\n"
            "  without kernels:   cmake -D PERFSPEC_BUILD_TESTS=OFF -D PERFSPEC_BUILD_EXAMPLES=OFF\n")
    endif()
endif()
