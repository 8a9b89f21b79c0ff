// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/reports/page/page_text.hpp>

#include <support/test.hpp>

#include <nlohmann/json.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// The page of these records.
std::string page_of(const std::vector<record>& records, const std::map<std::string, std::string>& variables = {}) {
    scripted_tool tool;
    tool.variables = variables;
    static_cast<void>(tool.run_on(records, {"report", "--html", "r.html"}));
    return tool.files.text("r.html");
}

/// The results that a page carries.
nlohmann::json data_of(const std::string& page) {
    constexpr std::string_view begin = R"(<script type="application/json" id="data">)";
    const std::size_t from = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

record judged(const std::string& key, verdict v) {
    record r = stored_result(key, 1e6, v, 2);
    r.failed = v == verdict::violated || v == verdict::error;
    return r;
}

}  // namespace

TEST_CASE("report's page carries every field of each record", "[ci][unit]") {
    const record r = judged("a", verdict::violated);
    nlohmann::json carried = data_of(page_of({r})).at("records").at(0);
    carried.erase("view");
    CHECK(carried == nlohmann::json::parse(to_json_line(r)));
}

TEST_CASE("report's page has the claims that need work first, and says how many there are of each", "[ci][unit]") {
    const auto data =
        data_of(page_of({judged("a", verdict::holds), judged("b", verdict::undecided), judged("c", verdict::violated),
                         judged("d", verdict::error), judged("e", verdict::skipped)}));
    CHECK(data.at("title") == "perfspec: 1 violated, 1 error, 1 undecided, 1 skipped, 1 holds");
    std::string order;
    for (const auto& one : data.at("records")) order += one.at("key").get<std::string>();
    CHECK(order == "cdbea");
    CHECK(data.at("records").at(0).at("view").at("number") == 1);
    CHECK(data.at("records").at(0).at("view").at("concern") == "violated");
}

TEST_CASE("report's page has no markup from results", "[ci][unit]") {
    const std::string hostile = GENERATE("</script><script>alert(1)</script>", "<!-- <script>",
                                         "<img src=x onerror=alert(1)>", "@data@", "@chart.min.js@");
    record r = judged(hostile, verdict::violated);
    r.test = r.claim = r.reason = r.file = hostile;
    r.notes = r.advice = {hostile};
    r.commands = {{hostile, hostile}};
    const std::string page = page_of({r});
    CHECK(std::ranges::count(page, '<') == std::ranges::count(tool::page_text(), '<'));
    CHECK(data_of(page).at("records").at(0).at("key") == hostile);
}

TEST_CASE("report's page loads nothing from elsewhere", "[ci][unit]") {
    const std::string_view page = tool::page_text();
    const std::string_view loads =
        GENERATE(" src=", "@import", "url(", "<link", "<iframe", "fetch(", "XMLHttpRequest", "import(");
    CHECK(page.find(loads) == std::string_view::npos);
}

TEST_CASE("report's page has all its parts", "[ci][unit]") {
    const std::string_view page = tool::page_text();
    CHECK(page.find(".css@") == std::string_view::npos);
    CHECK(page.find(".js@") == std::string_view::npos);
    CHECK(page.find("@data@") != std::string_view::npos);
    CHECK(page.find("@data@") == page.rfind("@data@"));
}

TEST_CASE("report's page links to the line at the commit", "[ci][unit]") {
    const std::string page = page_of({judged("a", verdict::violated)}, {{"GITHUB_SERVER_URL", "https://github.com"},
                                                                        {"GITHUB_REPOSITORY", "owner/project"},
                                                                        {"GITHUB_SHA", "3f2c1ab"}});
    const auto view = data_of(page).at("records").at(0).at("view");
    CHECK(view.at("place") == "sort_test.cpp:12");
    CHECK(view.at("address") == "https://github.com/owner/project/blob/3f2c1ab/sort_test.cpp#L12");
}

TEST_CASE("report says which page it cannot write", "[ci][unit]") {
    scripted_tool tool;
    tool.files.refuse_writes_below("/project");
    tool.ends_on(2, {judged("a", verdict::holds)}, "report --html /project/r.html");
}

}  // namespace perfspec
