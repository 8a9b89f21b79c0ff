// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// For hosts: how perfspec's assertions report to a test framework that is not Catch2 (`session/README.md`, "Hosts").
//
//     class own_host final : public perfspec::host { … };
//     perfspec::install_host(h);

#include <perfspec/quantity/input_error.hpp>
#include <perfspec/session/host.hpp>
