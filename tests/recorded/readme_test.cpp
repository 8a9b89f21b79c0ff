// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// The READMEs quote sources and outputs of the examples. Their other blocks are compiled (blocks.cmake).
#include <recorded/recorded.hpp>

#include <perfspec/plan/option_table.hpp>

#include <fmt/format.h>

#include <support/test.hpp>

#include <iterator>

namespace perfspec::testing {
namespace {

using text_lines = std::vector<std::string>;

const std::string project = PERFSPEC_TEST_SOURCE_DIR "/../../";

std::string content_of(const std::string& path) {
    std::ifstream file(project + path, std::ios::binary);
    INFO(path);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Without blanks: clang-format aligns comments by the lines around.
text_lines lines_of(std::string_view text) {
    text_lines all;
    std::istringstream stream{without_blanks(text)};
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
}

/// The fenced blocks of that language; "" for those without one.
std::vector<std::string> blocks_of(const std::string& markdown, std::string_view language) {
    std::vector<std::string> found;
    std::istringstream stream{markdown};
    bool inside = false;
    bool wanted = false;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            wanted = inside && line.substr(3) == language;
            if (wanted) found.emplace_back();
        } else if (wanted) {
            found.back() += line + '\n';
        }
    }
    return found;
}

bool is_part(const text_lines& part, const text_lines& whole) {
    return !part.empty() &&
           std::search(whole.begin(), whole.end(), part.begin(), part.end()) != whole.end();  // clang 14: no ranges
}

std::string replaced(std::string text, std::string_view found, std::string_view by) {
    for (auto at = text.find(found); at != std::string::npos; at = text.find(found, at + by.size()))
        text.replace(at, found.size(), by);
    return text;
}

/// The legal values on the command line, in Markdown.
std::string values_of(const option_description& row) {
    std::string words;
    for (const option_word& w : row.words)
        if (row.kind == option_kind::word && detail::spelling(row.words, w.value) == w.text)
            words += (words.empty() ? "" : "\\|") + std::string(w.text);
    return words.empty() ? std::string(row.legal) : words;
}

/// The forms of an option at a call.
std::string calls_of(const option_description& row) {
    if (row.kind == option_kind::text) return fmt::format("`{}(\"{}\")`", row.name, row.legal);
    if (row.legal.ends_with('%'))
        return fmt::format("`{}({}_pct)`", row.name, row.legal.substr(0, row.legal.size() - 1));
    if (row.kind != option_kind::word) return fmt::format("`{}({})`", row.name, row.legal);
    std::string calls;
    for (const option_word& w : row.words)
        if (detail::spelling(row.words, w.value) == w.text)
            calls += (calls.empty() ? "`" : ", `") + std::string(row.name) + "::" + std::string(w.text) + "`";
    return calls;
}

/// The line of an option in the language reference.
std::string line_of(const option_description& row) {
    const auto code = [](const std::string& text) { return " `" + text + "` |"; };
    const bool outside = row.scope != option_scope::call;
    const std::string value = row.bare.empty() ? " " + values_of(row) : "[=" + values_of(row) + "]";
    return "|" + (row.scope == option_scope::outside ? " |" : " " + calls_of(row) + " |") +
           (outside ? code(command_line_name(row) + value) : " |") + (outside ? code(environment_name(row)) : " |") +
           (row.not_in_file.empty() ? code("\"" + std::string(row.name) + "\"") : " |") + " " + default_text(row) +
           " | " + std::string(row.help) + " |\n";
}

}  // namespace

TEST_CASE("the page of options describes each as the table of options does", "[recorded][unit]") {
    std::string table;
    for (const option_description& row : option_table()) table += line_of(row);
    INFO(table);
    CHECK(content_of("include/perfspec/plan/README.md").find("|---|---|---|---|---|---|\n" + table + "\n") !=
          std::string::npos);
}

TEST_CASE("README.md has the C++ blocks that are compared and compiled", "[recorded][unit]") {
    CHECK(blocks_of(content_of("README.md"), "cpp").size() ==
          4);  // a program, sentences, a quotation, subjects in Python
}

TEST_CASE("every C++ block of the language reference and its pages is compiled", "[recorded][unit]") {
    struct page {
        const char* file;
        const char* prefix;  // of its blocks (blocks.cmake)
        std::size_t blocks;
    };
    const auto p = GENERATE(values<page>({{"include/perfspec/README.md", "language", 2},
                                          {"include/perfspec/measure/README.md", "counts", 1},
                                          {"include/perfspec/callgrind/README.md", "callgrind", 1},
                                          {"include/perfspec/report/README.md", "record", 1},
                                          {"include/perfspec/session/README.md", "adapter", 1},
                                          {"include/perfspec/cuda/README.md", "cuda", 3},
                                          {"include/perfspec/libtorch/subjects/README.md", "libtorch", 1},
                                          {"include/perfspec/python/README.md", "python", 1}}));
    INFO(p.file);
    CHECK(blocks_of(content_of(p.file), "cpp").size() == p.blocks);
    std::string compiled;
    for (const char* file : {"readme_blocks.cpp", "libtorch_blocks.cpp", "cuda_blocks.cu", "python_blocks.cpp"})
        compiled += content_of(std::string("tests/recorded/") + file);
    for (std::size_t n = 1; n <= p.blocks; ++n) {
        INFO("block " << n);
        CHECK(compiled.find("#include \"" + std::string(p.prefix) + "_" + std::to_string(n) + ".inc\"") !=
              std::string::npos);
    }
}

TEST_CASE("pages whose C++ nothing compiles have none", "[recorded][unit]") {
    for (const char* file :
         {"examples/README.md", "include/perfspec/explain/README.md", "include/perfspec/libtorch/outputs/README.md"}) {
        INFO(file);
        CHECK(blocks_of(content_of(file), "cpp").empty());
    }
}

TEST_CASE("README.md quotes the test of a real model but for its skip and the path of its package",
          "[recorded][unit]") {
    const auto blocks = blocks_of(content_of("README.md"), "cpp");
    const auto quoted = std::ranges::find_if(
        blocks, [](const std::string& block) { return block.find("resnet50 inference") != block.npos; });
    REQUIRE(quoted != blocks.end());
    std::string source = content_of("examples/vision/resnet50_perf_test.cpp");
    source = replaced(source, "VISION_RESNET50_PACKAGE", "\"resnet50.pt2\"");
    source = replaced(source, "    if (*VISION_SKIP_REASON != '\\0') SKIP(VISION_SKIP_REASON);\n\n", "");
    CHECK(is_part(lines_of(*quoted), lines_of(source)));
}

TEST_CASE("README.md shows the failure that example 02 prints", "[recorded][unit]") {
    const auto shown = blocks_of(content_of("README.md"), "");
    REQUIRE(!shown.empty());
    const std::string recorded = replaced(content_of("examples/02_old_against_new/output_slower.txt"), "<path>/", "");
    const text_lines message = lines_of(neutralized(unbroken(shown[0])));
    CHECK(message.size() >= 8);  // place, claim, verdict, change, value, bound, evidence, method
    CHECK(is_part(message, lines_of(recorded)));
}

}  // namespace perfspec::testing
