# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Installs headers, bodies and package files, and the tool where it is built. No library is installed: they are built in the consumer's tree.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(perfspec_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/perfspec")

install(TARGETS perfspec_core perfspec_catch2 EXPORT perfspecTargets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT perfspecTargets NAMESPACE perfspec:: DESTINATION "${perfspec_package_dir}")
install(DIRECTORY include/perfspec DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*-inl.hpp" PATTERN "*.cpp" PATTERN "*.py" PATTERN "*.md")
foreach(adapter IN ITEMS explain libtorch cuda)  # their targets are made in the consumer's tree, so their headers are in no exported file set
    install(DIRECTORY include/perfspec DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING REGEX "/perfspec/${adapter}(/.*)?\\.hpp$")
endforeach()

configure_package_config_file(ci/cmake/perfspecConfig.cmake.in perfspecConfig.cmake
    INSTALL_DESTINATION "${perfspec_package_dir}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(perfspecConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/perfspecConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/perfspecConfigVersion.cmake"
    ci/cmake/PerfspecAdapters.cmake
    ci/cmake/PerfspecAoti.cmake
    ci/cmake/PerfspecDiscoverTests.cmake
    ci/cmake/PerfspecLayouts.cmake
    DESTINATION "${perfspec_package_dir}")
if(perfspec_with_tool)
    install(TARGETS perfspec_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
