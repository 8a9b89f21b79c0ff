// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

namespace perfspec::detail {

struct expression_node;

/// Handle on a node of a claim's tree: query, bound, claim. One pointer, so that a claim costs little code where it is written;
/// the nodes and their bodies live in the implementation unit.
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

}  // namespace perfspec::detail
