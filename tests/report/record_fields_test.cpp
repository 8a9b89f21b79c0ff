// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Every field of a record reaches the JSON lines: change one, and the line must change.
#include <perfspec/report/record_fields.hpp>

#include <perfspec/report/json_lines.hpp>
#include <report/example_records.hpp>

#include <support/test.hpp>

#include <concepts>

namespace perfspec {
namespace {

/// Changes the leaf with this number, counting in the order of the fields, and remembers its name.
class nth_leaf {
public:
    explicit nth_leaf(std::size_t number) : left_(number) {}

    [[nodiscard]] const std::string& changed() const noexcept { return changed_; }

    template <detail::Described T> void visit(const std::string& path, T& object) {
        detail::visit_fields(object,
                             [&](std::string_view name, auto& value) { visit(path + "." + std::string(name), value); });
    }
    template <detail::Described T> void visit(const std::string& path, std::optional<T>& value) {
        visit(path, value.value());
    }
    template <detail::Described T> void visit(const std::string& path, std::vector<T>& values) {
        visit(path + "[0]", values.at(0));
    }

    void visit(const std::string& path, std::vector<stored_process>& processes) {
        stored_session session = sessions_of(processes).at(0);
        visit(path, session);
        processes = processes_in(session);
    }
    void visit(const std::string& path, std::vector<versioned_library>& libraries) {
        change(path, [&] { libraries.push_back({"one", "more"}); });
    }
    void visit(const std::string& path, std::string& text) {
        change(path, [&] { text += "~changed"; });
    }
    void visit(const std::string& path, bool& value) {
        change(path, [&] { value = !value; });
    }
    void visit(const std::string& path, double& value) {
        change(path, [&] { value = 1.7 * value + 1.0; });
    }
    void visit(const std::string& path, std::optional<double>& value) {
        change(path, [&] { value = 1.7 * value.value() + 1.0; });
    }
    void visit(const std::string& path, std::vector<double>& values) {
        change(path, [&] { values.push_back(3.0 * values.back()); });
    }
    void visit(const std::string& path, std::vector<std::string>& texts) {
        change(path, [&] { texts.emplace_back("one more"); });
    }
    void visit(const std::string& path, std::vector<std::pair<std::string, std::string>>& pairs) {
        change(path, [&] { pairs.emplace_back("one", "more"); });
    }
    void visit(const std::string& path, verdict& value) {
        change(path, [&] { value = verdict::undecided; });
    }
    void visit(const std::string& path, waiver_effect& value) {
        change(path, [&] { value = waiver_effect::expired; });
    }
    void visit(const std::string& path, better& value) {
        change(path, [&] { value = better::less; });
    }
    void visit(const std::string& path, dimension& value) {
        change(path, [&] { value = dimension::byte_rate; });
    }
    void visit(const std::string& path, verification_code& value) {
        change(path, [&] { value = verification_code::eager_failed; });
    }
    void visit(const std::string& path, std::optional<failure_kind>& value) {
        change(path, [&] { value = failure_kind::timed_out; });
    }
    void visit(const std::string& path, baseline_action& value) {
        change(path, [&] { value = baseline_action::refused; });
    }
    template <std::integral T> void visit(const std::string& path, T& value) {
        change(path, [&] { ++value; });
    }

private:
    template <class F> void change(const std::string& path, F f) {
        if (left_-- != 0) return;
        f();
        changed_ = path;
    }

    std::size_t left_;
    std::string changed_;
};

template <class F> void for_each_changed_record(F f) {
    for (std::size_t number = 0;; ++number) {
        record r = testing::every_field();
        nth_leaf leaf(number);
        leaf.visit("record", r);
        if (leaf.changed().empty()) break;
        INFO(leaf.changed());
        f(r);
    }
}

/// A struct with a member that its fields lack.
struct forgotten {
    int listed;
    int not_listed;
};

}  // namespace

template <> inline constexpr std::tuple detail::fields_of<forgotten>{detail::field{"listed", &forgotten::listed}};

TEST_CASE("a member of a record that has no line is noticed, in each of its parts", "[report][unit]") {
    STATIC_CHECK_FALSE(detail::every_member_is_a_field<forgotten>);
    STATIC_CHECK(detail::every_member_is_a_field<forecast>);
    STATIC_CHECK(detail::every_member_is_a_field<tolerated_range>);
    STATIC_CHECK(detail::every_member_is_a_field<record>);
}

TEST_CASE("every field of a record has a leaf to change", "[report][unit]") {
    std::size_t leaves = 0;
    for_each_changed_record([&](const record&) { ++leaves; });
    CHECK(leaves == 170);  // of 54 fields; so the tests below are not empty
}

TEST_CASE("every field of a record reaches the JSON line", "[report][unit]") {
    const std::string before = to_json_line(testing::every_field());
    for_each_changed_record([&](const record& r) {
        const bool changed = to_json_line(r) != before;
        CHECK(changed);
    });
}

TEST_CASE("every field of a record returns from the JSON line", "[report][unit]") {
    for_each_changed_record([&](const record& r) {
        record expected = r;
        if (expected.schema != json_lines_schema)
            expected.schema = json_lines_schema;  // a newer one is refused, elsewhere
        const bool same = to_json_line(from_json_line(to_json_line(expected))) == to_json_line(expected);
        CHECK(same);
    });
}

TEST_CASE("a later part of a result keeps every field of the earlier one that it lacks", "[report][unit]") {
    const record all = testing::every_field();
    claim_result later;
    later.verdict = all.verdict;  // the judgement is that of the later part
    later.reason = all.reason;
    later.failure = all.failure;
    later.unit = all.unit;
    later.margin = all.margin;
    later.evidence = all.evidence;
    later.evidence.method.clear();
    later.evidence.rounds = later.evidence.processes = later.evidence.seed = 0;
    later.evidence.seconds = later.evidence.starting_seconds = later.evidence.budget_seconds = 0.0;
    record joined_record = all;
    static_cast<claim_result&>(joined_record) = detail::joined(all, later);
    CHECK(to_json_line(joined_record) == to_json_line(all));
    later.reason = "";
    later.failure = {};
    CHECK(detail::joined(all, later).reason.empty());
    CHECK_FALSE(detail::joined(all, later).failure);
}

}  // namespace perfspec
