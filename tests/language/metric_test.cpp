// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/metric.hpp>
#include <perfspec/language/sentence.hpp>
#include <perfspec/measure/counter.hpp>

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

TEST_CASE("every metric has a word of its own, and a line of help", "[language][unit]") {
    std::set<std::string_view> words;
    for (const metric_traits& row : metric_table) {
        CHECK(words.insert(row.word).second);
        CHECK_FALSE(row.help.empty());
    }
}

TEST_CASE("the text of a claim names the subject of every metric", "[language][unit]") {
    for (const metric_traits& row : metric_table) {
        if (row.metric == metric_kind::own || row.from == reading::sizes || row.metric == metric_kind::oracle)
            continue;  // several arguments
        const std::string claim = std::string(row.word) + "(sorted) < 3";
        INFO(claim);
        CHECK(subjects_in(claim) == std::vector<std::string>{"sorted"});
    }
}

TEST_CASE("what counts a metric is known", "[language][unit]") {
    for (const metric_traits& row : metric_table) {
        INFO(row.word);
        if (row.from == reading::counter || row.from == reading::processor_counter) CHECK_NOTHROW(process_counters().of(row.metric));
    }
}

}  // namespace perfspec
