// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfspec {

namespace detail {

[[nodiscard]] inline std::string shown(const json_value& value) {
    switch (value.kind) {
    case json_kind::object: return "an object";
    case json_kind::array: return "a list";
    case json_kind::string: return excerpt(value.text);
    case json_kind::number: return json_number(value.number);
    case json_kind::boolean:
    case json_kind::null: break;
    }
    return value.text;
}

/// One step per older schema version, beginning with version 1.
inline constexpr std::array schema_upgrades{schema_upgrade{1, sessions_from_launches}};

void upgrade(json_value& root, std::span<const schema_upgrade> steps, unsigned current) {
    const auto* version = root.member("schema_version");
    if (version == nullptr)
        throw json_fault(root.line, fmt::format(R"("schema_version" is missing, expected {})", current));
    if (!version->whole || version->number > 1e9)
        throw json_fault(version->line,
                         fmt::format(R"("schema_version" is {}, expected {})", shown(*version), current));
    const auto found = static_cast<unsigned>(version->number);
    if (found > current)
        throw json_fault(
            version->line,
            fmt::format("schema version {} is from a newer perfspec, expected at most {}: update perfspec to read it",
                        found, current));
    for (unsigned at = found; at < current; ++at) {
        const auto step =
            std::find_if(steps.begin(), steps.end(), [&](const schema_upgrade& u) { return u.from == at; });
        if (step == steps.end())
            throw json_fault(
                version->line,
                fmt::format("schema version {} was never written by any perfspec, expected {}", found, current));
        step->apply(root);
    }
}

[[noreturn]] inline void refuse(const json_value& value, std::string_view expected) {
    throw json_fault(value.line, fmt::format("{} is {}, expected {}", excerpt(value.name), shown(value), expected));
}

inline void require_kind(const json_value& value, json_kind kind, std::string_view expected) {
    if (value.kind != kind) refuse(value, expected);
}

inline void refuse_unknown_members(const json_value& object, std::span<const std::string_view> known) {
    for (const auto& item : object.items)
        if (std::find(known.begin(), known.end(), item.name) == known.end())
            throw json_fault(item.line, fmt::format("{} is unknown here, expected one of \"{}\"", excerpt(item.name),
                                                    fmt::join(known, "\", \"")));
}

[[nodiscard]] inline const json_value& required(const json_value& object, std::string_view name,
                                                std::string_view expected) {
    if (const auto* found = object.member(name)) return *found;
    throw json_fault(object.line, fmt::format("\"{}\" is missing, expected {}", name, expected));
}

[[nodiscard]] inline std::string text_of(const json_value& value, std::string_view expected) {
    require_kind(value, json_kind::string, expected);
    return value.text;
}

[[nodiscard]] inline std::string optional_text(const json_value& object, std::string_view name) {
    const auto* found = object.member(name);
    return found == nullptr ? "" : text_of(*found, "text such as \"3f2c1ab\"");
}

[[nodiscard]] inline std::size_t count_in(const json_value& object, std::string_view name) {
    constexpr std::string_view expected = "a whole number such as 300";
    const auto& value = required(object, name, expected);
    if (!value.whole || value.number < 1 || value.number > 1e15) refuse(value, expected);
    return static_cast<std::size_t>(value.number);
}

inline constexpr std::string_view example_time = "a time in UTC such as \"2026-11-18T09:12:44Z\"";

/// Reads a number that a launch in this unit can have.
[[nodiscard]] inline double number_of(const json_value& value, const unit_rule& rule) {
    if (value.kind != json_kind::number || !may_be(rule.domain, value.number)) refuse(value, rule.expected);
    return value.number;
}

[[nodiscard]] inline std::vector<double> read_values(const json_value& session, const unit_rule& rule) {
    constexpr std::string_view expected = "a list of 1 to 40 numbers";
    const auto& values = required(session, "values", expected);
    require_kind(values, json_kind::array, expected);
    if (values.items.empty() || values.items.size() > baseline_entry::max_launches_of_session)
        throw json_fault(values.line, fmt::format("\"values\" has {} numbers, expected 1 to 40", values.items.size()));
    std::vector<double> numbers;
    for (const auto& value : values.items) {
        if (value.kind != json_kind::number || !may_be(rule.domain, value.number))
            throw json_fault(value.line, fmt::format("\"values\" holds {}, expected {}", shown(value), rule.expected));
        numbers.push_back(value.number);
    }
    return numbers;
}

[[nodiscard]] inline std::optional<double> read_moved_by_load(const json_value& session) {
    const auto* moved = session.member("moved_by_load");
    if (moved == nullptr) return {};
    if (moved->kind != json_kind::number) refuse(*moved, "a fraction such as 0.02");
    return moved->number;
}

[[nodiscard]] inline recording_session read_session(const json_value& value, std::string_view unit) {
    constexpr std::array<std::string_view, 12> members{"values", "q1",      "q3",         "p90",
                                                       "p99",    "samples", "iterations", "when",
                                                       "commit", "run",     "session",    "moved_by_load"};
    if (value.kind != json_kind::object)
        throw json_fault(value.line, fmt::format("a session is {}, expected an object", shown(value)));
    refuse_unknown_members(value, members);
    const auto rule = rule_of(unit);
    recording_session session;
    session.values = read_values(value, rule);
    for (const auto& [name, member] : session_numbers)
        session.*member = number_of(required(value, name, rule.expected), rule);
    session.samples = count_in(value, "samples");
    session.iterations = count_in(value, "iterations");
    session.when = text_of(required(value, "when", example_time), example_time);
    session.commit = optional_text(value, "commit");
    session.run = optional_text(value, "run");
    session.mark = optional_text(value, "session");
    session.moved_by_load = read_moved_by_load(value);
    for (const stored_launch& launch : launches_in(session))
        if (const auto fault = fault_of_launch(launch, unit)) throw json_fault(value.line, *fault);
    return session;
}

[[nodiscard]] inline fingerprint read_recorded_on(const json_value& value) {
    require_kind(value, json_kind::object, "an object such as {\"os\": \"Debian GNU/Linux 12\"}");
    std::vector<std::string_view> members{"libraries"};
    fingerprint facts;
    for (const auto& [name, member] : fingerprint_fields) {
        members.emplace_back(name);
        facts.*member = optional_text(value, name);
    }
    refuse_unknown_members(value, members);
    const auto* libraries = value.member("libraries");
    if (libraries == nullptr) return facts;
    require_kind(*libraries, json_kind::object, "an object such as {\"libtorch\": \"2.13.0\"}");
    for (const auto& item : libraries->items)
        facts.libraries.push_back({item.name, text_of(item, "a version such as \"2.13.0\"")});
    std::sort(facts.libraries.begin(), facts.libraries.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return facts;
}

[[nodiscard]] inline double not_negative(const json_value& value, std::string_view expected) {
    if (value.kind != json_kind::number || !may_be(value_domain::not_negative, value.number)) refuse(value, expected);
    return value.number;
}

[[nodiscard]] inline profiled_operator read_operator(const json_value& value) {
    constexpr std::array<std::string_view, 2> members{"ns", "calls"};
    constexpr std::string_view time = "a time in ns such as 523000", calls = "a number of calls such as 9";
    require_kind(value, json_kind::object, "an object such as {\"ns\": 523000, \"calls\": 9}");
    refuse_unknown_members(value, members);
    return {value.name, not_negative(required(value, "ns", time), time),
            not_negative(required(value, "calls", calls), calls)};
}

[[nodiscard]] inline operator_profile read_operators(const json_value& value) {
    constexpr std::array<std::string_view, 3> members{"settings", "longest", "others"};
    constexpr std::string_view expected = "an object of 1 to 32 operators by name";
    require_kind(value, json_kind::object, "an object with \"longest\"");
    refuse_unknown_members(value, members);
    const auto& longest = required(value, "longest", expected);
    require_kind(longest, json_kind::object, expected);
    operator_profile profile{.settings = optional_text(value, "settings")};
    for (const auto& item : longest.items) profile.longest.push_back(read_operator(item));
    if (const auto* others = value.member("others"))
        profile.others_ns = not_negative(*others, "a time in ns such as 12000");
    if (const auto fault = fault_of_profile(profile)) throw json_fault(longest.line, *fault);
    return profile;
}

/// Refuses a mark that occurs twice: its two sessions would become one.
inline void refuse_known_mark(const recording_session& session, std::span<const stored_launch> before,
                              const json_value& value) {
    if (std::ranges::find(before, session.mark, &stored_launch::recording_session) != before.end())
        throw json_fault(value.line, fmt::format("the \"session\" {} appears twice, expected a different one for each",
                                                 excerpt(session.mark)));
}

[[nodiscard]] inline baseline_entry read_entry(const json_value& value) {
    constexpr std::array<std::string_view, 5> members{"unit", "better", "recorded_on", "operators", "sessions"};
    require_kind(value, json_kind::object, "an object with \"unit\", \"better\", \"recorded_on\" and \"sessions\"");
    refuse_unknown_members(value, members);
    baseline_entry entry;
    entry.key = value.name;
    entry.unit = text_of(required(value, "unit", "a unit such as \"ns\""), "a unit such as \"ns\"");
    const auto& polarity = required(value, "better", "\"less\" or \"more\"");
    if (polarity.kind != json_kind::string || (polarity.text != "less" && polarity.text != "more"))
        refuse(polarity, "\"less\" or \"more\"");
    entry.polarity = polarity.text == "less" ? better::less : better::more;
    entry.recorded_on =
        read_recorded_on(required(value, "recorded_on", "an object such as {\"os\": \"Debian GNU/Linux 12\"}"));
    if (const auto* operators = value.member("operators")) entry.operators = read_operators(*operators);
    const auto& sessions = required(value, "sessions", "a list of 1 to 10");
    require_kind(sessions, json_kind::array, "a list of 1 to 10");
    for (const auto& item : sessions.items) {
        const recording_session session = read_session(item, entry.unit);
        refuse_known_mark(session, entry.launches, item);
        const auto launches = launches_in(session);
        entry.launches.insert(entry.launches.end(), launches.begin(), launches.end());
    }
    if (const auto fault = fault_of(entry)) throw json_fault(sessions.line, *fault);
    return entry;
}

/// Reads an entry, and adds its key to the text of a fault.
[[nodiscard]] inline baseline_entry read_named_entry(const json_value& value) {
    try {
        return read_entry(value);
    } catch (const json_fault& fault) {
        throw json_fault(fault.line, fmt::format("{}\n  in the entry {}", fault.what(), excerpt(value.name)));
    }
}

/// Makes an entry of each member of "entries" while the text is read. A tree of the whole file would take ten times the
/// bytes of the text. This needs the current schema version, and needs it before "entries", as perfspec writes it.
/// Other files are read as a whole.
class entry_reader final : public json_member_taker {
public:
    [[nodiscard]] bool wants(const json_value& root_so_far, const json_value& object) override {
        const auto* version = root_so_far.member("schema_version");
        took_ = object.name == "entries" && version != nullptr && version->whole &&
                version->number == baseline_file::schema_version;
        return took_;
    }
    void take(const json_value& member) override { entries_.push_back(read_named_entry(member)); }

    /// The entries of a file whose root was read through this reader.
    [[nodiscard]] std::vector<baseline_entry> entries(const json_value& object) {
        if (!took_)
            for (const auto& entry : object.items) entries_.push_back(read_named_entry(entry));
        return std::move(entries_);
    }

private:
    bool took_ = false;
    std::vector<baseline_entry> entries_;
};

/// Reads the address of a file from its root; the file has no entries yet.
template <class File> [[nodiscard]] File read_addressed_file(const json_value& root) {
    return {text_of(required(root, "hardware", "a hardware key"), "a hardware key such as \"amd-epyc-7763-4c\""),
            text_of(required(root, "build_variant", "a name, or \"\""), "a name such as \"gcc-13\", or \"\""),
            text_of(required(root, "suite", "a name"), "a name such as \"vision_test\""),
            {}};
}

[[nodiscard]] inline baseline_file read_baseline_file(std::string_view text) {
    entry_reader reader;
    json_value root = read_json(text, {}, &reader);
    constexpr std::array<std::string_view, 5> members{"schema_version", "hardware", "build_variant", "suite",
                                                      "entries"};
    if (root.kind != json_kind::object)
        throw json_fault(root.line, fmt::format("the file is {}, expected an object", shown(root)));
    upgrade(root, schema_upgrades, baseline_file::schema_version);
    refuse_unknown_members(root, members);
    auto file = read_addressed_file<baseline_file>(root);
    const auto& entries = required(root, "entries", "an object of entries by key");
    require_kind(entries, json_kind::object, "an object of entries by key");
    file.entries = reader.entries(entries);
    std::sort(file.entries.begin(), file.entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return file;
}

inline void append_member(std::string& to, std::string_view name, const std::string& text) {
    if (!text.empty()) to += fmt::format(", \"{}\": {}", name, json_string(text));
}

[[nodiscard]] inline std::string render_session(const recording_session& session) {
    std::string values;
    for (const double value : session.values) values += (values.empty() ? "" : ", ") + json_number(value);
    std::string line = fmt::format("{{\"values\": [{}]", values);
    for (const auto& [name, member] : session_numbers)
        line += fmt::format(", \"{}\": {}", name, json_number(session.*member));
    line += fmt::format(", \"samples\": {}, \"iterations\": {}", session.samples, session.iterations);
    if (session.moved_by_load) line += fmt::format(", \"moved_by_load\": {}", json_number(*session.moved_by_load));
    append_member(line, "when", session.when);
    append_member(line, "commit", session.commit);
    append_member(line, "run", session.run);
    append_member(line, "session", session.mark);
    return line + '}';
}

[[nodiscard]] inline std::string render_recorded_on(const fingerprint& facts) {
    std::string members;
    for (const auto& [name, member] : fingerprint_fields) append_member(members, name, facts.*member);
    std::string libraries;
    for (const auto& library : facts.libraries)
        libraries += fmt::format(", {}: {}", json_string(library.name), json_string(library.version));
    if (!libraries.empty()) members += ", \"libraries\": {" + libraries.substr(2) + '}';
    return '{' + (members.empty() ? members : members.substr(2)) + '}';
}

/// On one line: each recording changes all of its times.
[[nodiscard]] inline std::string render_operators(const operator_profile& profile) {
    std::string longest;
    for (const profiled_operator& o : profile.longest)
        longest += fmt::format(R"({}{}: {{"ns": {}, "calls": {}}})", longest.empty() ? "" : ", ", json_string(o.name),
                               json_number(o.self_ns), json_number(o.calls));
    std::string text =
        profile.settings.empty() ? "{" : fmt::format("{{\"settings\": {}, ", json_string(profile.settings));
    text += "\"longest\": {" + longest + '}';
    if (profile.others_ns > 0.0) text += fmt::format(", \"others\": {}", json_number(profile.others_ns));
    return text + '}';
}

[[nodiscard]] inline std::string render_entry(const baseline_entry& entry) {
    if (const auto fault = fault_of(entry))
        throw input_error(fmt::format("the entry {} cannot be stored: {}", excerpt(entry.key), *fault));
    std::string text =
        fmt::format("    {}: {{\n      \"unit\": {},\n      \"better\": \"{}\",\n      \"recorded_on\": {},",
                    json_string(entry.key), json_string(entry.unit), entry.polarity == better::less ? "less" : "more",
                    render_recorded_on(entry.recorded_on));
    if (entry.operators) text += fmt::format("\n      \"operators\": {},", render_operators(*entry.operators));
    text += "\n      \"sessions\": [";
    const auto sessions = sessions_of(entry.launches);
    for (const auto& session : sessions)
        text += (&session == sessions.data() ? "\n        " : ",\n        ") + render_session(session);
    return text + "\n      ]\n    }";
}

template <class File> void require_utf8_names(const File& file) {
    for (const auto* name : {&file.hardware, &file.variant, &file.suite})
        if (!is_utf8(*name))
            throw input_error(fmt::format(
                "the name {} is not UTF-8, expected a hardware key, build variant or suite such as \"vision_test\"; rename it",
                excerpt(*name)));
}

/// Writes the text of a file: its address, then its entries sorted by key, each as `render_one` writes it.
template <class File, class Render>
[[nodiscard]] std::string render_keyed_file(const File& file, std::string_view entries_name, const Render& render_one) {
    require_utf8_names(file);
    std::string text = fmt::format(
        "{{\n  \"schema_version\": {},\n  \"hardware\": {},\n  \"build_variant\": {},\n  \"suite\": {},\n  \"{}\": {{",
        File::schema_version, json_string(file.hardware), json_string(file.variant), json_string(file.suite),
        entries_name);
    std::vector<const typename File::entry_type*> sorted;
    for (const auto& entry : file.entries) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
    for (const auto* entry : sorted) text += (entry == sorted.front() ? "\n" : ",\n") + render_one(*entry);
    return text + (sorted.empty() ? "}\n}\n" : "\n  }\n}\n");
}

}  // namespace detail

baseline_file parse_baseline_file(std::string_view text, std::string_view path) {
    try {
        return detail::read_baseline_file(text);
    } catch (const detail::json_fault& fault) {
        throw input_error(fmt::format(
            "{}:{}: {}\n  restore it from version control, or remove it and record again:  PERFSPEC_UPDATE_BASELINES=missing ctest",
            path, fault.line, fault.what()));
    }
}

std::string render_baseline_file(const baseline_file& file) {
    return detail::render_keyed_file(file, "entries", detail::render_entry);
}

}  // namespace perfspec
