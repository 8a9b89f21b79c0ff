// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// The operators that profiles ran, compared with all operators of their tensor library. This is the API coverage by which TorchBench
/// judges a suite (Hao et al., "TorchBench: Benchmarking PyTorch with High API Surface Coverage", 2023).
///
/// An operator counts once, whatever its overloads. Other names in a profile (functions of the backward pass)
/// are not operators of the library.
class operator_coverage {
public:
    explicit operator_coverage(std::span<const record> records);

    /// Whether there is no profile.
    [[nodiscard]] bool empty() const noexcept { return models_.empty(); }

    /// "operators: 33 of 1437 of LibTorch 2.13.0 (2.3 %), in 2 models", and a line for each namespace. Empty where there is no profile.
    [[nodiscard]] std::string summary() const;

    /// A table with a row for each operator: the models that ran it, each with its modes (the axes except the model).
    [[nodiscard]] std::string table_console() const;
    /// The same table and the summary, in GitHub's Markdown.
    [[nodiscard]] std::string table_markdown() const;

    /// The operators that no profile ran and that match the pattern, one per line.
    [[nodiscard]] std::string uncovered(std::string_view pattern) const;

private:
    using modes_of_models = std::map<std::string, std::set<std::string>>;

    void add(const record& r);
    [[nodiscard]] std::string models_text(const modes_of_models& models) const;
    [[nodiscard]] std::string namespace_lines() const;

    std::set<std::string> libraries_;
    std::map<std::string, std::set<std::string>> known_;  ///< operators by namespace: "aten" with "aten::abs", "aten::add"
    std::map<std::string, modes_of_models> ran_;          ///< by known operator
    std::set<std::string> others_;                        ///< other names in profiles
    std::set<std::string> models_;
};

}  // namespace perfspec::tool
