// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims that another process describes in JSON, as expressions of the language.

#include <perfspec/language/bound.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/json_fields.hpp>

#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// Finds a subject by its name.
using subject_finder = std::function<subject(const std::string& name)>;

/// The claim or query that a JSON object describes. A bound is a number (times in seconds), a text with a unit, a
/// baseline or another query:
///
///     {"query": {"word": "speedup", "subjects": ["eager", "compiled"]}, "comparison": ">", "bound": 0.95}
///     {… "bound": "3ms"}   {… "bound": {"baseline": 1.05, "plus": "2ms"}}   {… "bound": {"factor": 1.2, "query": {…}}}
///     {… "comparison": "==", "bound": 1.4, "tolerance": "5%"}
///
/// Throws input_error for an unknown query, a wrong number of subjects, or a bound that does not fit; json_fault for a
/// missing member.
[[nodiscard]] detail::expression expression_of(const detail::json_value& described, const subject_finder& find);

/// The options of a call by name: {"budget": "2s", "margin": "1%"}. `texts` keeps what the options point to. Throws
/// input_error for a name or a value that is no option of a call.
[[nodiscard]] std::vector<option> options_of(const detail::json_value& described, std::list<std::string>& texts);

/// A member of an object. Throws json_fault if there is none, and input_error if it is of another kind.
[[nodiscard]] std::string text_of(const detail::json_value& object, std::string_view name);
[[nodiscard]] double number_of(const detail::json_value& object, std::string_view name);

}  // namespace perfspec::tool
