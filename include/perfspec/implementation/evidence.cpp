// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of stats and baseline: the evaluation of samples, and the stored processes to compare with.

#include <perfspec/stats/percentile-inl.hpp>
#include <perfspec/stats/rank_test-inl.hpp>
#include <perfspec/stats/sequential-inl.hpp>
#include <perfspec/stats/summary-inl.hpp>

#include <perfspec/baseline/baseline_file-inl.hpp>
#include <perfspec/baseline/baseline_store-inl.hpp>
#include <perfspec/baseline/file_system-inl.hpp>
#include <perfspec/baseline/fingerprint/fingerprint-inl.hpp>
#include <perfspec/baseline/fingerprint/hardware_key-inl.hpp>
#include <perfspec/baseline/fingerprint/linked_library-inl.hpp>
#include <perfspec/baseline/golden/golden_file-inl.hpp>
#include <perfspec/baseline/project_file-inl.hpp>
#include <perfspec/baseline/sessions/recording_session-inl.hpp>
#include <perfspec/baseline/stored_process-inl.hpp>
#include <perfspec/baseline/update_rule-inl.hpp>
