// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What the assertions of this folder call, for the programs whose listing is timed.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

std::vector<int> sorted(const std::vector<int>& v);
int count(const std::string& s, char c);
double mean(const std::vector<double>& v);

std::vector<int> sorted(const std::vector<int>& v) {
    std::vector<int> copy = v;
    std::ranges::sort(copy);
    return copy;
}

int count(const std::string& s, char c) { return static_cast<int>(std::ranges::count(s, c)); }

double mean(const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}
