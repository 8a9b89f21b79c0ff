// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of report: the record and its renderings.

#include <perfspec/report/annotation.ipp>
#include <perfspec/report/chosen_layers.ipp>
#include <perfspec/report/chrome_trace.ipp>
#include <perfspec/report/console.ipp>
#include <perfspec/report/console_rows.ipp>
#include <perfspec/report/console_summary.ipp>
#include <perfspec/report/console_text.ipp>
#include <perfspec/report/json_lines.ipp>
#include <perfspec/report/json_read.ipp>
#include <perfspec/report/json_write.ipp>
#include <perfspec/report/part_table.ipp>
#include <perfspec/report/picture.ipp>
#include <perfspec/report/record.ipp>
#include <perfspec/report/sink.ipp>
#include <perfspec/report/text_width.ipp>
#include <perfspec/report/xla_fields.ipp>
