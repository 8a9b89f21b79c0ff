// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: the Catch2 host and its listener, apart from main, so that they are linked beside any main. The core's bodies are units
// of their own, implementation/*.cpp.

#include <perfspec/catch2.hpp>

#include <perfspec/catch2/catch2-inl.hpp>
