// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression.hpp>
#include <perfspec/language/expression_node.hpp>

namespace perfspec::detail {

inline void release(expression_node* node) noexcept {
    if (node != nullptr && --node->owners == 0) { delete node; }
}

expression::expression(const expression& other) noexcept : node_(other.node_) { ++node_->owners; }

expression& expression::operator=(const expression& other) noexcept {
    ++other.node_->owners;
    release(std::exchange(node_, other.node_));
    return *this;
}

expression::~expression() { release(node_); }

}  // namespace perfspec::detail
