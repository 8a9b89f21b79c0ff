# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
include("${CMAKE_CURRENT_LIST_DIR}/PerfspecWriteFile.cmake")

# perfspec_add_layouts(<target> [COUNT n])
#
# Links the objects of a test binary n times more (4 unless said otherwise, at most 9), each time in another order and behind a padding of another length:
# the same machine code at other addresses. "<binary>.layout1" and those after it lie beside the binary, and `--perf-layout` draws among them.
# Nothing is compiled again, and nothing is linked by a usual build: cmake --build build --target <target>_layouts
function(perfspec_add_layouts target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "COUNT" "")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "perfspec_add_layouts: \"${target}\" is no target; name an executable made by add_executable")
    endif()
    if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "perfspec_add_layouts(${target}): cannot use \"${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}\"; it takes COUNT "
            "with a number, as in COUNT 4")
    endif()
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
        set(target ${aliased})
    endif()
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL EXECUTABLE)
        message(FATAL_ERROR "perfspec_add_layouts: \"${target}\" is no executable; name one made by add_executable")
    endif()
    if(NOT DEFINED arg_COUNT)
        set(arg_COUNT 4)
    endif()
    if(NOT arg_COUNT MATCHES "^[1-9]$")
        message(FATAL_ERROR "perfspec_add_layouts(${target} COUNT ${arg_COUNT}): write a number from 1 to 9, as in COUNT 4")
    endif()
    add_custom_target(${target}_layouts)
    foreach(number RANGE 1 ${arg_COUNT})
        perfspec_add_one_layout(${target} ${number})
        add_dependencies(${target}_layouts ${target}_layout${number})
    endforeach()
endfunction()

# One link of the target's objects. It follows the target's own, so that an older one is known to be of other objects.
function(perfspec_add_one_layout target number)
    math(EXPR bytes "${number} * 1040")  # other offsets in a cache line of 64 bytes and in a page of 4096
    set(padding "${CMAKE_CURRENT_BINARY_DIR}/${target}_layouts/padding${number}.cpp")
    # A constructor that reads it keeps it where the linker collects what nobody names.
    string(CONFIGURE [====[
__asm__(".text\n.globl perfspec_layout_padding\nperfspec_layout_padding:\n.skip @bytes@\n");
extern "C" const char perfspec_layout_padding[];
__attribute__((constructor)) static void keep() { __asm__ volatile("" : : "r"(perfspec_layout_padding)); }
]====] text @ONLY)
    perfspec_write_file("${padding}" "${text}")
    add_library(${target}_padding${number} OBJECT EXCLUDE_FROM_ALL "${padding}")
    perfspec_order_objects(${target} ${number} objects)
    set(layout ${target}_layout${number})
    add_executable(${layout} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}_padding${number}> ${objects})
    # The interface sources of what the target links are among its own: only the link is wanted of it, and the objects of an object library.
    get_target_property(libraries ${target} LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
        if(TARGET ${library})
            get_target_property(type ${library} TYPE)
            if(type STREQUAL OBJECT_LIBRARY)
                target_sources(${layout} PRIVATE $<TARGET_OBJECTS:${library}>)
            endif()
        endif()
        target_link_libraries(${layout} PRIVATE "$<LINK_ONLY:${library}>")
    endforeach()
    foreach(property IN ITEMS LINK_OPTIONS LINK_DIRECTORIES)
        set_property(TARGET ${layout} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
    endforeach()
    set_target_properties(${layout} PROPERTIES
        LINKER_LANGUAGE CXX
        LINK_DEPENDS "$<TARGET_FILE:${target}>"
        RUNTIME_OUTPUT_DIRECTORY "$<TARGET_FILE_DIR:${target}>"
        OUTPUT_NAME "$<TARGET_FILE_NAME:${target}>.layout${number}"
        SUFFIX "")
    add_dependencies(${layout} ${target})
endfunction()

# The objects of a target in an order that its sources' names and the number decide. Those of no source that is known here come last.
function(perfspec_order_objects target number variable)
    get_target_property(sources ${target} SOURCES)
    set(keyed "")
    set(others "")  # objects that the target is given as sources
    foreach(source IN LISTS sources)
        if(source MATCHES "^\\$<TARGET_OBJECTS:.*>$|[.]o(bj)?$")
            list(APPEND others "${source}")
        endif()
        get_filename_component(name "${source}" NAME)
        if(name MATCHES "^[A-Za-z0-9_.+-]+\\.(c|cc|cpp|cxx|C|cu)$")
            string(MD5 key "${number} ${name}")
            list(APPEND keyed "${key}/${name}")
        endif()
    endforeach()
    list(REMOVE_DUPLICATES keyed)
    list(SORT keyed)
    set(all "$<TARGET_OBJECTS:${target}>")
    set(objects "")
    set(known "")
    foreach(entry IN LISTS keyed)
        get_filename_component(name "${entry}" NAME)
        string(REGEX REPLACE "([.+])" "[\\1]" pattern "${name}")
        set(pattern "/${pattern}[.]o(bj)?$")
        list(APPEND objects "$<FILTER:${all},INCLUDE,${pattern}>")
        list(APPEND known "${pattern}")
    endforeach()
    list(JOIN known "|" known)
    if(known)
        list(APPEND objects "$<FILTER:${all},EXCLUDE,${known}>")
    else()
        set(objects "${all}")
    endif()
    set(${variable} ${objects} ${others} PARENT_SCOPE)
endfunction()
