// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace perfspec {

class subject;

}  // namespace perfspec

namespace perfspec::detail {

struct expression_node;

/// A handle on a node of a claim's tree: query, bound, claim. It is one pointer, because then a claim costs little code
/// at its place. The nodes and the function bodies are in the implementation unit.
class expression {
public:
    explicit expression(expression_node* node) noexcept : node_(node) {}
    expression(const expression& other) noexcept;
    expression(expression&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    expression& operator=(const expression& other) noexcept;
    ~expression();

    [[nodiscard]] const expression_node& node() const noexcept { return *node_; }

private:
    expression_node* node_;
};

template <class> inline constexpr bool never = false;

/// A query or a claim.
template <class T>
concept Expression = std::derived_from<std::decay_t<T>, expression>;

}  // namespace perfspec::detail
