// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// A number for an error message: the shortest text that reads back as the same double.
[[nodiscard]] std::string number_text(double value);

/// Throws input_error, which names `who`, for a value that is not finite.
void require_finite(std::string_view who, double value);

/// Throws input_error, which names `who`, for a value that is not finite and positive.
void require_positive(std::string_view who, double value);

/// Throws input_error, which names `who`, where there are no values or one is not finite.
void require_sample(std::string_view who, std::span<const double> values);

/// Throws input_error, which names the option, for a rate that is not a probability strictly between 0 and 1.
void require_rate(std::string_view option, double rate);

/// Throws input_error for a margin that is negative or not finite.
void require_margin(double margin);

}  // namespace perfspec::detail
