// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: the Catch2 host and its listener. They are separate from main, because a program may have
// another main. The bodies of the core are separate units, implementation/*.cpp.

#include <perfspec/catch2.hpp>

#include <perfspec/catch2/catch2-inl.hpp>
