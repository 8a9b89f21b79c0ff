// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace perfspec {

class subject;

namespace guessed {
/// Brings what is in this namespace (`wrong_guesses.hpp`) to the arguments of a call, and to nothing else.
struct by_argument {};
}  // namespace guessed

}  // namespace perfspec

namespace perfspec::detail {

struct expression_node;

/// Handle on a node of a claim's tree: query, bound, claim. One pointer, so that a claim costs little code where it is written;
/// the nodes and their bodies live in the implementation unit.
class expression : public guessed::by_argument {
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
