# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Assembles the PTX in the raw string of HEADER for ARCHITECTURE by PTXAS, in FOLDER.
file(READ "${HEADER}" text)
if(NOT text MATCHES "R\"\\(([^\"]*)\\)\"")
    message(FATAL_ERROR "${HEADER} has no raw string with PTX")
endif()
set(ptx "${FOLDER}/stamp_${ARCHITECTURE}.ptx")
file(WRITE "${ptx}" "${CMAKE_MATCH_1}")
execute_process(COMMAND "${PTXAS}" -arch=${ARCHITECTURE} "${ptx}" -o "${FOLDER}/stamp_${ARCHITECTURE}.cubin" RESULT_VARIABLE code)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "${PTXAS} does not assemble ${ptx}")
endif()
