// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The bodies of <perfspec/explain.hpp>.

#include <perfspec/explain/explain-inl.hpp>
#include <perfspec/explain/layer_oracle-inl.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/layers-inl.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/explain/queries-inl.hpp>
#include <perfspec/explain/traces-inl.hpp>
