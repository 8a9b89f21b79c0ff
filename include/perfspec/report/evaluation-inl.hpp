// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/evaluation.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec::inline v0_2 {
namespace detail {

record_copy::record_copy(const record& r) : record_(new record(r)) {}

record_copy::~record_copy() { delete record_; }

const record& record_of(const evaluation& e) noexcept { return e.record_.get(); }

}  // namespace detail

const char* to_string(verdict v) noexcept {
    constexpr const char* words[] = {"holds", "violated", "undecided", "error", "skipped", "measured"};
    return words[static_cast<std::size_t>(v)];
}

evaluation::evaluation(const record& r)
    : verdict(r.verdict), failed(r.failed), on_request(r.on_request), query(r.query), reason(r.reason),
      unit(unit_name(r)), value(r.estimate ? std::optional(r.estimate->value) : std::nullopt),
      low(r.estimate.value_or(estimate{}).low), high(r.estimate.value_or(estimate{}).high),
      level(r.estimate.value_or(estimate{}).level), bound(r.bound), advice(r.advice), notes(r.notes), record_(r) {}

std::string evaluation::text() const { return render_console(record_.get(), {}); }

std::string evaluation::json() const { return to_json_line(record_.get()); }

}  // namespace perfspec::inline v0_2
