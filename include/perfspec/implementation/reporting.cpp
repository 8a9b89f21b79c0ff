// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of report: the record and its renderings.

#include <perfspec/report/annotation-inl.hpp>
#include <perfspec/report/change-inl.hpp>
#include <perfspec/report/claim_result-inl.hpp>
#include <perfspec/report/console/console-inl.hpp>
#include <perfspec/report/console/console_summary-inl.hpp>
#include <perfspec/report/console/console_text-inl.hpp>
#include <perfspec/report/console/part_table-inl.hpp>
#include <perfspec/report/evaluation-inl.hpp>
#include <perfspec/report/json_lines-inl.hpp>
#include <perfspec/report/shell-inl.hpp>
#include <perfspec/report/waived-inl.hpp>
