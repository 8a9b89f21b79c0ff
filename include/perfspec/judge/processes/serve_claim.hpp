// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/process/workers/worker.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// A worker's side of the messages in process/README.md: this process's messages once it has reached the claim that it
/// was started for.
class claim_server {
public:
    explicit claim_server(const claim_context& context) : context_(context) {}

    /// "hello", or "invalid" with the reason why this claim cannot be measured here.
    [[nodiscard]] worker_message introduction();
    /// The answer to "prepare", "run" or "launch"; "invalid" with the reason for a failure and for any other line.
    [[nodiscard]] worker_message answer(std::string_view request);

private:
    [[nodiscard]] worker_message prepare();
    [[nodiscard]] worker_message run(const worker_message& request);
    [[nodiscard]] worker_message launch();

    const claim_context& context_;
};

/// Serves the process that asked for this claim, until it says "finish" or is gone. Then ends this process.
[[noreturn]] void serve_parent(const claim_context& context);

/// The message of a worker that ends without reaching its claim: its suite, and the keys of the claims that it passed.
[[nodiscard]] worker_message unreached_message(const std::string& suite, const std::vector<std::string>& keys_passed);

/// Sends the unreached_message when this process ends on its own. Call it once, before main.
void say_unreached_at_exit();

}  // namespace perfspec::detail
