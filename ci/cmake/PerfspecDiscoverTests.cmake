# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
include("${CMAKE_CURRENT_LIST_DIR}/PerfspecWriteFile.cmake")

# perfspec_discover_tests(<target> [PASSIVE_WAIT] [SUITE name] [TIMEOUT seconds] [PREFIX text] [GPUS n] [BASELINE_DIR folder]
#                         [LABELS label…] [ENVIRONMENT NAME=value…] [ARGS argument…])
#
# Makes a ctest test of each test case of a Catch2 binary that asserts performance:
#  - it runs alone (RUN_SERIAL, and the lock perfspec_machine against tests of others that take it), is labelled "perf", and has TIMEOUT seconds,
#    by default 1500 like ctest: ten recorded processes of a slow model take minutes;
#  - exit code 77 (nothing failed, and every assertion was skipped or one looks violated) is shown as Skipped;
#  - the binary knows its suite (the target's name), the folders of committed baselines (<project>/baselines, or BASELINE_DIR) and of this
#    machine's baselines (<build>/perfspec-baselines), and its compilation, which verdicts compare with that of baselines;
#  - ctest refuses names that Catch2 reads as filters ("~…", "exclude:…") or options ("-…"), and an open "[", because it would run other tests or none.
# PASSIVE_WAIT adds OMP_WAIT_POLICY=passive: spinning OpenMP threads of LibTorch collapse when the machine does anything else, and libgomp reads the
# variable before main(). GPUS takes that many devices of ctest's resource specification (ctest --resource-spec-file): the
# test sees only these, by CUDA_VISIBLE_DEVICES. PREFIX stands before each test's name.
function(perfspec_discover_tests target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "PASSIVE_WAIT" "SUITE;TIMEOUT;PREFIX;GPUS;BASELINE_DIR" "LABELS;ENVIRONMENT;ARGS")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "perfspec_discover_tests: \"${target}\" is no target; name an executable made by add_executable")
    endif()
    if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "perfspec_discover_tests(${target}): cannot use \"${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}\"; it takes "
            "PASSIVE_WAIT, and with values SUITE TIMEOUT PREFIX GPUS BASELINE_DIR LABELS ENVIRONMENT ARGS")
    endif()
    if(NOT CMAKE_TESTING_ENABLED)
        message(WARNING "perfspec_discover_tests(${target}): ctest will find no tests; first call enable_testing() in the top CMakeLists.txt")
    endif()
    perfspec_warn_of_unoptimized_build(${target})
    perfspec_warn_of_other_main(${target})
    if(NOT DEFINED arg_TIMEOUT)
        set(arg_TIMEOUT 1500)
    endif()
    if(arg_PASSIVE_WAIT)
        list(APPEND arg_ENVIRONMENT OMP_WAIT_POLICY=passive)
    endif()

    perfspec_compile_paths_in(${target} "${arg_SUITE}" "${arg_BASELINE_DIR}" "${arg_PREFIX}")
    perfspec_compile_options_in(${target})
    set(properties RUN_SERIAL TRUE RESOURCE_LOCK perfspec_machine TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
    if(arg_GPUS)
        if(NOT TARGET perfspec::gpu)
            message(FATAL_ERROR "perfspec_discover_tests(${target}): GPUS needs fmt 9 and nlohmann_json 3.11 to compile perfspec::gpu; install them")
        endif()
        list(APPEND properties RESOURCE_GROUPS "${arg_GPUS},gpus:1")
        target_link_libraries(${target} PRIVATE perfspec::gpu)  # it shows the program the GPUs that ctest granted
    endif()
    # Catch2 3.7.1 appends its own SKIP_RETURN_CODE 4 after ours: SKIP_IS_FAILURE keeps it away. An older one does not, and would hand the word
    # to the test binary as a test's name. (A blank at the end of a prefix does not survive catch_discover_tests.)
    get_property(keep_skip_code GLOBAL PROPERTY perfspec_keeps_skip_code)
    catch_discover_tests(${target} TEST_PREFIX "${arg_PREFIX}" EXTRA_ARGS ${arg_ARGS} ${keep_skip_code}
        PROPERTIES ${properties} LABELS perf)
    perfspec_set_list_properties(${target} LABELS perf ${arg_LABELS} ENVIRONMENT ${arg_ENVIRONMENT})
    perfspec_refuse_filters(${target} "${arg_PREFIX}")
endfunction()

# A build without optimization judges nothing, and all its tests are skipped. A build type of "Debug" says so itself; none is often forgotten.
function(perfspec_warn_of_unoptimized_build target)
    get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_property(warned GLOBAL PROPERTY perfspec_warned_of_build_type)
    if(several OR CMAKE_BUILD_TYPE OR warned OR "${CMAKE_CXX_FLAGS} ${options}" MATCHES "-O([1-3sgz]|fast)")
        return()
    endif()
    message(WARNING "perfspec_discover_tests(${target}): no build type is set, so nothing is optimized, and every performance assertion will be "
        "skipped; configure with -D CMAKE_BUILD_TYPE=Release")
    set_property(GLOBAL PROPERTY perfspec_warned_of_build_type TRUE)
endfunction()

# Of two libraries with a main(), the linker takes the first.
function(perfspec_warn_of_other_main target)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    string(REGEX MATCH "Catch2::Catch2WithMain.*perfspec::catch2_main" first_is_of_catch2 "${libraries}")
    if(first_is_of_catch2)
        message(WARNING "perfspec_discover_tests(${target}): the main of Catch2 is linked, so ctest shows skipped claims as Passed; list "
            "perfspec::catch2_main before Catch2::Catch2WithMain")
    endif()
endfunction()

# Stops ctest at a test case that it cannot select: Catch2 reads a name that begins with "~" or "exclude:" as a filter, and one that begins with "-" as an
# option; CMake joins one that has an open "[" with those after it.
function(perfspec_refuse_filters target prefix)
    string(STRIP "${prefix}" prefix)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}_perfspec_names.cmake")
    string(CONFIGURE [====[
foreach(perfspec_test IN LISTS @target@_TESTS)
    string(FIND "${perfspec_test}" [==[@prefix@]==] perfspec_at)
    if(perfspec_at EQUAL 0)
        string(LENGTH [==[@prefix@]==] perfspec_at)
        string(SUBSTRING "${perfspec_test}" ${perfspec_at} -1 perfspec_name)
        if(perfspec_name MATCHES "^[ \t]*(~|exclude:|-)")
            message(FATAL_ERROR "@target@ has a test case \"${perfspec_name}\": Catch2 reads that name as a filter or an option, and would run other test "
                "cases in its place or none; rename the test case, so that it begins with another word than ~, exclude: or -")
        endif()
        if(perfspec_name MATCHES "^([^;]*\\[[^;]*);")
            message(FATAL_ERROR "@target@ has a test case \"${CMAKE_MATCH_1}\": an open [ joins it with the test cases after it to one test that runs none of "
                "them; rename the test case, so that each [ has its ]")
        endif()
    endif()
endforeach()
]====] text @ONLY)
    perfspec_write_file("${script}" "${text}")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# Whether this Catch2 knows SKIP_IS_FAILURE, by the file that defines catch_discover_tests. Without that file it counts as new.
function(perfspec_inspect_catch2)
    set(word SKIP_IS_FAILURE)
    foreach(folder IN ITEMS "${Catch2_DIR}" "${Catch2_SOURCE_DIR}/extras" ${CMAKE_MODULE_PATH})
        if(EXISTS "${folder}/Catch.cmake")
            file(READ "${folder}/Catch.cmake" text)
            string(FIND "${text}" SKIP_IS_FAILURE at)
            if(at EQUAL -1)
                set(word "")
            endif()
            break()
        endif()
    endforeach()
    set_property(GLOBAL PROPERTY perfspec_keeps_skip_code ${word})
endfunction()
perfspec_inspect_catch2()

# Two programs of one suite would share keys of results and baselines. Builds of one program have the same sources.
function(perfspec_refuse_two_programs target suite)
    get_target_property(sources ${target} SOURCES)
    list(TRANSFORM sources REPLACE ".*/" "")
    get_property(known GLOBAL PROPERTY "perfspec_suite_${suite}")
    get_property(other GLOBAL PROPERTY "perfspec_suite_${suite}_target")
    if(known AND NOT known STREQUAL sources AND NOT other STREQUAL target)
        message(FATAL_ERROR "perfspec_discover_tests(${target}): ${other} has the suite \"${suite}\", too, but other sources (${known}, and here "
            "${sources}), so results and baselines of both would have the same keys; give one of them another name by SUITE name")
    endif()
    set_property(GLOBAL PROPERTY "perfspec_suite_${suite}" "${sources}")
    set_property(GLOBAL PROPERTY "perfspec_suite_${suite}_target" ${target})
endfunction()

# Gives the binary a source file that registers its suite, folders and prefix, which a compile definition could not carry into a static library.
function(perfspec_compile_paths_in target suite baselines prefix)
    if(suite STREQUAL "")
        set(suite ${target})
    endif()
    perfspec_refuse_two_programs(${target} "${suite}")
    if(baselines STREQUAL "")
        set(baselines "${PROJECT_SOURCE_DIR}/baselines")
    endif()
    get_filename_component(baselines "${baselines}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_perfspec_paths.cpp")
    string(CONFIGURE [==[// made by perfspec_discover_tests
#include <perfspec/session/project_paths.hpp>

static const perfspec::register_project_paths paths{
    R"perfspec(@suite@)perfspec",
    R"perfspec(@baselines@)perfspec",
    R"perfspec(@PROJECT_BINARY_DIR@)perfspec",
    R"perfspec(@prefix@)perfspec"};
]==] text @ONLY)
    perfspec_write_file("${source}" "${text}")
    target_sources(${target} PRIVATE "${source}")
endfunction()

# Gives the binary a source file that registers how its C++ is compiled, once all targets are known. The raw strings keep every quote.
function(perfspec_compile_options_in target)
    string(CONCAT link_time "$<OR:$<BOOL:$<TARGET_PROPERTY:${target},INTERPROCEDURAL_OPTIMIZATION>>,"
        "$<BOOL:$<TARGET_PROPERTY:${target},INTERPROCEDURAL_OPTIMIZATION_$<UPPER_CASE:$<CONFIG>>>>>")
    string(TOUPPER "${CMAKE_BUILD_TYPE}" upper)
    set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${upper}}")
    set(config "")
    get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(several)
        set(config "$<CONFIG>_")
        set(flags "${CMAKE_CXX_FLAGS}")
        foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
            string(TOUPPER "${config}" upper)
            string(APPEND flags "$<$<CONFIG:${config}>: ${CMAKE_CXX_FLAGS_${upper}}>")
        endforeach()
    endif()
    # Options may depend on the language: there is a file for each, and that of C++ is compiled.
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_perfspec_options_${config}")
    file(GENERATE OUTPUT "${source}$<COMPILE_LANGUAGE>.cpp" CONTENT "// made by perfspec_discover_tests
#include <perfspec/session/project_paths.hpp>

static const perfspec::register_compile_options options{
    R\"perfspec(${flags})perfspec\",
    R\"perfspec($<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)perfspec\",
    R\"perfspec($<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)perfspec\",
    ${link_time} != 0};
")
    set_source_files_properties("${source}CXX.cpp" PROPERTIES GENERATED TRUE)
    target_sources(${target} PRIVATE "${source}CXX.cpp")
endfunction()

# perfspec_set_list_properties(<target> LABELS label… ENVIRONMENT NAME=value…): sets these on the tests that catch_discover_tests just found.
# A list does not survive PROPERTIES of catch_discover_tests (Catch2 3.7.1 turns "LABELS a;b" into "LABELS a b" and loses what follows); a file that
# ctest reads after Catch2's own can set one. It misses a test with ";" in its name, because Catch2 before 3.16 splits that name.
function(perfspec_set_list_properties target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS;ENVIRONMENT")
    set(content "")
    foreach(property IN ITEMS LABELS ENVIRONMENT)
        if(arg_${property})
            string(APPEND content "foreach(perfspec_test IN LISTS ${target}_TESTS)\n"
                "  set_tests_properties(\"\${perfspec_test}\" PROPERTIES ${property} [==[${arg_${property}}]==])\nendforeach()\n")
        endif()
    endforeach()
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}_perfspec_properties.cmake")
    file(GENERATE OUTPUT "${script}" CONTENT "${content}")  # with $<TARGET_FILE:…> evaluated
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
