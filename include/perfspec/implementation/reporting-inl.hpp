// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of report: the record and its renderings.

#include <perfspec/report/annotation-inl.hpp>
#include <perfspec/report/console-inl.hpp>
#include <perfspec/report/console_rows-inl.hpp>
#include <perfspec/report/console_summary-inl.hpp>
#include <perfspec/report/console_text-inl.hpp>
#include <perfspec/report/finding-inl.hpp>
#include <perfspec/report/json_lines-inl.hpp>
#include <perfspec/report/json_read-inl.hpp>
#include <perfspec/report/json_write-inl.hpp>
#include <perfspec/report/part_table-inl.hpp>
#include <perfspec/report/picture-inl.hpp>
#include <perfspec/report/record-inl.hpp>
#include <perfspec/report/sink-inl.hpp>
#include <perfspec/report/text_width-inl.hpp>
#include <perfspec/report/xla_fields-inl.hpp>
