# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# The static libraries that hold bodies. Perfspec's own tree compiles them, and installs the core and the host for Catch2. After find_package a consumer's
# tree compiles the rest from the installed sources: adapters, and everything if the installed libraries do not fit.
# So they are functions of the include folder, used by both.

# perfspec_add_bodies(<target> [USES_FMT] [PUBLIC <library>…] SOURCES <file>…): with USES_FMT only the bodies need fmt and JSON, not programs that link them.
function(perfspec_add_bodies target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "USES_FMT" "" "PUBLIC;SOURCES")
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC perfspec::headers ${arg_PUBLIC})
    if(arg_USES_FMT)
        target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:perfspec::core>")
    endif()
    # Measured code is not in here: -O1 compiles twice as fast as -O3, and judges as fast.
    target_compile_options(${target} PRIVATE "$<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>:-O1>")
    # Under the -ffast-math of a project an infinite number would look finite.
    target_compile_options(${target} PRIVATE -fno-fast-math -fno-finite-math-only -fno-unsafe-math-optimizations)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
endfunction()

# The core's bodies, which programs of any test framework link. Two units, because six parse the same headers six times; six where perfspec is
# developed, so that a change compiles one of them.
function(perfspec_add_implementation include_dir)
    if(TARGET perfspec::perfspec)
        return()
    endif()
    set(sources "")
    foreach(unit IN ITEMS evidence measuring processes judging reporting program)
        list(APPEND sources "${include_dir}/perfspec/implementation/${unit}.cpp")
    endforeach()
    perfspec_add_bodies(perfspec_perfspec USES_FMT SOURCES ${sources})
    add_library(perfspec::perfspec ALIAS perfspec_perfspec)
    if(NOT PERFSPEC_BUILD_TESTS)
        set_target_properties(perfspec_perfspec PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 3)
    endif()
endfunction()

function(perfspec_add_catch2_main include_dir)
    if(TARGET perfspec::catch2_main)
        return()
    endif()
    perfspec_add_implementation("${include_dir}")
    # Two objects: a file with <perfspec/catch2.hpp> needs the host's, and takes main only if there is no other.
    perfspec_add_bodies(perfspec_catch2_main USES_FMT PUBLIC Catch2::Catch2 perfspec::perfspec
        SOURCES "${include_dir}/perfspec/catch2/catch2_host.cpp" "${include_dir}/perfspec/catch2/main.cpp")
    add_library(perfspec::catch2_main ALIAS perfspec_catch2_main)
endfunction()

function(perfspec_add_explain include_dir)
    if(TARGET perfspec::explain)
        return()
    endif()
    perfspec_add_bodies(perfspec_explain USES_FMT SOURCES "${include_dir}/perfspec/explain/explain.cpp")
    add_library(perfspec::explain ALIAS perfspec_explain)
endfunction()

function(perfspec_add_callgrind include_dir)
    if(TARGET perfspec::callgrind)
        return()
    endif()
    perfspec_add_bodies(perfspec_callgrind USES_FMT SOURCES "${include_dir}/perfspec/callgrind/callgrind.cpp")
    add_library(perfspec::callgrind ALIAS perfspec_callgrind)
endfunction()

function(perfspec_add_python include_dir)
    if(NOT TARGET perfspec::python)
        perfspec_add_explain("${include_dir}")
        perfspec_add_bodies(perfspec_python USES_FMT PUBLIC perfspec::explain SOURCES "${include_dir}/perfspec/python/python.cpp")
        add_library(perfspec::python ALIAS perfspec_python)
    endif()
    perfspec_name_python(perfspec::python)
endfunction()

# Workers run the Python of PERFSPEC_PYTHON, else that of the found LibTorch, else python3 in PATH.
function(perfspec_name_python target)
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
        set(target ${aliased})
    endif()
    foreach(python IN ITEMS "${PERFSPEC_PYTHON}" "${PERFSPEC_TORCH_PYTHON}")
        if(python)
            target_compile_definitions(${target} INTERFACE "PERFSPEC_PYTHON_FOUND=\"${python}\"")
            return()
        endif()
    endforeach()
endfunction()

# The machine's GPUs, by NVIDIA's driver: for perfspec::cuda and ::libtorch, and tests with a GPU of ctest.
function(perfspec_add_gpu include_dir)
    if(TARGET perfspec::gpu)
        return()
    endif()
    perfspec_add_implementation("${include_dir}")
    perfspec_add_bodies(perfspec_gpu USES_FMT PUBLIC perfspec::perfspec SOURCES "${include_dir}/perfspec/gpu/machine.cpp")
    # Programs call none of its functions.
    target_link_options(perfspec_gpu INTERFACE "LINKER:-u,perfspec_knows_gpus")
    add_library(perfspec::gpu ALIAS perfspec_gpu)
endfunction()

function(perfspec_add_libtorch include_dir)
    if(TARGET perfspec::libtorch)
        return()
    endif()
    perfspec_add_explain("${include_dir}")
    perfspec_add_gpu("${include_dir}")
    perfspec_add_bodies(perfspec_libtorch PUBLIC perfspec::explain perfspec::gpu torch SOURCES "${include_dir}/perfspec/libtorch/libtorch.cpp")
    # ccache and -ffile-prefix-map change __FILE__, by which export.py would be found.
    target_compile_definitions(perfspec_libtorch PRIVATE "PERFSPEC_DETAIL_HEADERS=\"${include_dir}\"")
    # Programs whose subjects are lambdas call none of its functions.
    target_link_options(perfspec_libtorch INTERFACE "LINKER:-u,perfspec_libtorch_records_operators")
    # A LibTorch for the processor has the headers of CUDA graphs, and not their code.
    if(TARGET torch_cuda)
        target_compile_definitions(perfspec_libtorch PRIVATE PERFSPEC_DETAIL_TORCH_CUDA)
    endif()
    add_library(perfspec::libtorch ALIAS perfspec_libtorch)
endfunction()

function(perfspec_add_cuda include_dir)
    if(TARGET perfspec::cuda)
        return()
    endif()
    perfspec_add_explain("${include_dir}")
    perfspec_add_gpu("${include_dir}")
    perfspec_add_bodies(perfspec_cuda PUBLIC perfspec::explain perfspec::gpu CUDA::cudart SOURCES "${include_dir}/perfspec/cuda/cuda.cpp")
    # It times LibTorch's models, too, and their programs call none of its functions.
    target_link_options(perfspec_cuda INTERFACE "LINKER:-u,perfspec_cuda_times_given_streams")
    add_library(perfspec::cuda ALIAS perfspec_cuda)
endfunction()
