// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns a view, and nothing has computed its elements: go through them in the body
#include <perfspec/perfspec.hpp>

#include <vector>

#if defined(__clang__)  // clang 14 does not know libstdc++'s own
struct doubled_view {
    std::vector<int> base() const;
    std::vector<int>::iterator begin();
    std::vector<int>::iterator end();
};
doubled_view doubled(std::vector<int>& numbers);
#else
#    include <ranges>
inline auto doubled(std::vector<int>& numbers) {
    return numbers | std::views::transform([](int n) { return 2 * n; });
}
#endif

void test(std::vector<int>& numbers) {
    const perfspec::subject x("double", [&] { return doubled(numbers); });
}
