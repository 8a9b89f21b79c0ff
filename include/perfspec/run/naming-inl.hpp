// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/describe.hpp>
#include <perfspec/language/sentence.hpp>
#include <perfspec/language/subject_state.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/run/naming.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace perfspec::detail {

std::vector<subject> subjects_of(const expression_node& tree) {
    std::vector<subject> all = tree.query.subjects;
    if (tree.bound == bound_kind::query) all.insert(all.end(), tree.other.subjects.begin(), tree.other.subjects.end());
    return all;
}

inline std::string name_of(const evaluation& e, const subject& s, std::size_t index, const std::vector<std::string>& texts) {
    if (!s.name().empty()) return std::string(s.name());
    if (!e.query().sizes.empty()) return "n=" + std::to_string(std::llround(e.query().sizes.at(index)));
    if (index < texts.size() && !texts[index].empty()) return name_from_text(texts[index]);
    if (e.tree().bound == bound_kind::baseline) {
        throw input_error(
            "a claim on a stored baseline needs subjects with names, because they are its key: perfspec::subject(\"name\", f)");
    }
    return "#" + std::to_string(index + 1);
}

/// The subjects as written, in the node's order; none where the text does not show them all.
inline std::vector<std::string> subject_texts(const evaluation& e, std::size_t count) {
    auto texts = subjects_in(e.asked.claim);
    if (texts.size() != count) return {};
    const expression_node& tree = e.tree();
    if (tree.bound == bound_kind::query &&
        tree.written == bound_side::left) {  // 0.8 * latency(a) > latency(b): the other query's come first
        std::rotate(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(tree.other.subjects.size()), texts.end());
    }
    return texts;
}

inline std::string query_text(const evaluation& e) {
    const auto split = static_cast<std::ptrdiff_t>(e.query().subjects.size());
    if (e.query().measured == metric_kind::growth) {
        const auto bodies = subjects_in(e.asked.claim);
        return "growth(" + (bodies.size() == 1 ? name_from_text(bodies.front()) : e.names.front() + " .. " + e.names.back()) + ")";
    }
    if (e.tree().verification) return "same_output(" + e.names.at(0) + ", " + e.names.at(1) + ")";
    const std::string own = describe(e.query(), {e.names.begin(), e.names.begin() + split});
    if (e.tree().bound != bound_kind::query) return own;
    return own + " / " + describe(e.tree().other, {e.names.begin() + split, e.names.end()});
}

inline keyed_body keyed(const subject& s) {
    const subject_state& state = s.state();
    keyed_body body{.id = state.id, .bare = state.name.empty() ? state.functions : nullptr, .function = nullptr};
    if (state.functions->identity == body_identity::function) std::memcpy(&body.function, state.storage, sizeof body.function);
    return body;
}

inline key_use use_of_key(const evaluation& e, const std::vector<subject>& subjects) {
    key_use use{.place = e.out.file + ":" + std::to_string(e.out.line),
                .query = e.out.query + (e.out.unit == dimension::time ? "" : ", in " + unit_name(e.out)),
                .declared_at = e.position.declared_at,
                .compares_runs = !e.is_child() && e.tree().bound == bound_kind::baseline,
                .generated = e.position.generated};
    for (const subject& s : subjects) use.bodies.push_back(keyed(s));
    return use;
}

void name_query(evaluation& e) {
    const auto subjects = subjects_of(e.tree());
    const auto texts = subject_texts(e, subjects.size());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        e.names.push_back(name_of(e, subjects[i], i, texts));
        for (const auto& [name, value] : distinguishing_settings(subjects[i], subjects)) e.names.back() += " " + name + "=" + value;
    }
    e.out.query = query_text(e);
    e.out.axes = united_axes(subjects);
    e.out.key = key_of(e);
    e.context.enter(e.position);
    e.context.keys_in_use().use(e.out.key, use_of_key(e, subjects));
}

/// A part of a key. What joins the parts is escaped in it, so that a test "a / b" and a section "b" of a test "a" are told apart.
inline std::string escaped_part(std::string part) {
    for (std::size_t at = 0; (at = part.find(" / ", at)) != std::string::npos; at += 4) part.insert(at + 1, 1, '\\');
    return part;
}

std::string key_of(const evaluation& e) {
    std::string key;
    const auto append = [&key](const std::string& part) {
        if (!key.empty()) key += " / ";
        key += part;
    };
    if (!e.position.test.empty()) append(escaped_part(e.position.test));
    for (const std::string& section : e.position.sections) append(escaped_part(section));
    append(e.plan.key.empty() ? e.out.query : e.plan.key);
    for (const auto& [name, value] : e.out.axes) append(name + "=" + value);
    return key;
}

}  // namespace perfspec::detail
