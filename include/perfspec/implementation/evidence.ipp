// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of stats and baseline: what samples show, and the launches kept to compare with.

#include <perfspec/stats/checks.ipp>
#include <perfspec/stats/counts.ipp>
#include <perfspec/stats/detectable_effect.ipp>
#include <perfspec/stats/evidence_interval.ipp>
#include <perfspec/stats/growth.ipp>
#include <perfspec/stats/hodges_lehmann.ipp>
#include <perfspec/stats/layer_oracle.ipp>
#include <perfspec/stats/layer_subtraction.ipp>
#include <perfspec/stats/order_effect.ipp>
#include <perfspec/stats/outlook.ipp>
#include <perfspec/stats/p_value.ipp>
#include <perfspec/stats/percentile.ipp>
#include <perfspec/stats/percentile_evidence.ipp>
#include <perfspec/stats/percentile_sequential.ipp>
#include <perfspec/stats/repeated_claims.ipp>
#include <perfspec/stats/sequential.ipp>
#include <perfspec/stats/signed_rank_evidence.ipp>
#include <perfspec/stats/smallest_effect.ipp>
#include <perfspec/stats/stability.ipp>
#include <perfspec/stats/stored_rank_test.ipp>
#include <perfspec/stats/summary.ipp>
#include <perfspec/stats/trend.ipp>

#include <perfspec/baseline/baseline_file.ipp>
#include <perfspec/baseline/baseline_store.ipp>
#include <perfspec/baseline/compile_flags.ipp>
#include <perfspec/baseline/file_system.ipp>
#include <perfspec/baseline/fingerprint.ipp>
#include <perfspec/baseline/golden_file.ipp>
#include <perfspec/baseline/golden_store.ipp>
#include <perfspec/baseline/hardware_key.ipp>
#include <perfspec/baseline/json_tree.ipp>
#include <perfspec/baseline/linked_library.ipp>
#include <perfspec/baseline/locate.ipp>
#include <perfspec/baseline/path_component.ipp>
#include <perfspec/baseline/project_file.ipp>
#include <perfspec/baseline/rounding.ipp>
#include <perfspec/baseline/stored_launch.ipp>
#include <perfspec/baseline/update_rule.ipp>
