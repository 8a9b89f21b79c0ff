// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/verify-inl.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>

#include <ATen/Parallel.h>
#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <torch/version.h>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The FNV-1a of a tensor's bytes, in the order of the elements: "output 1, float32[1,1000]: 9ae16a3b2f90404f".
inline std::string fingerprint_of(const named_tensor& x) {
    if (!x.value.defined()) return called(x) + ": undefined";
    const at::Tensor values = laid_out(x.value);
    return called(x) + ", " + described(x.value) + ": " +
           fnv1a({static_cast<const char*>(values.const_data_ptr()), values.nbytes()});
}

inline std::string maker_of_bits(const torch_body& body) {
    const int threads = body.settings.threads.value_or(at::get_num_threads());
    const std::string where = body.device.is_cpu() ? std::to_string(threads) + " threads"
                                                   : c10::DeviceTypeName(body.device.type(), /*lower_case=*/true);
    return std::string{"LibTorch "} + TORCH_VERSION + ", " + where;
}

/// Adds the fingerprints of the candidate's outputs to the verification. Fails if the next run returns other bits.
inline verification with_fingerprints(torch_body& candidate, verification result, verifying_conditions& conditions) {
    const outcome first = run_once(candidate, conditions);
    const outcome second = first.thrown ? first : run_once(candidate, conditions);
    if (second.thrown) {
        const verification fault = fault_of_candidate(second);
        return {fault.code, fault.text, std::move(result.statistics)};
    }
    if (const std::string difference = bit_difference(first.results, second.results); !difference.empty())
        return {verification_code::verifier_didnt_run,
                "golden outputs need a deterministic candidate, but two runs of it differ\n" + difference,
                std::move(result.statistics)};
    for (const named_tensor& each : second.results) result.fingerprints.push_back(fingerprint_of(each));
    result.made_by = maker_of_bits(candidate);
    return result;
}

// The order of decisions is that of PyTorch's benchmarks/dynamo (`check_accuracy`, `check_batch_invariance` of
// common.py): the reference twice, which must not differ at all; the candidate, several times on request; double
// precision.

/// The first output with NaN that do not agree, so that it does not even equal itself; or empty.
inline std::string lone_nan(const named_tensors& results, const accuracy& how) {
    for (const named_tensor& each : results) {
        const bool can_hold = each.value.defined() && (each.value.is_floating_point() || each.value.is_complex());
        if (can_hold && !nan_agree(each.value.scalar_type(), how) && any_nan(dense(each.value)))
            return called(each) + ", " + described(each.value) +
                   ": the same; both hold NaN, which agree only with nan_rule::agree";
    }
    return {};
}

/// The results of a deterministic reference, or its fault.
struct steady_results {
    named_tensors results;
    std::optional<verification> fault;
};

// TorchScript specializes a model after its first call. So if the first two runs differ, the third one decides.
inline steady_results run_reference(torch_body& reference, const accuracy& how, verifying_conditions& conditions) {
    outcome before, last = run_once(reference, conditions);
    std::string difference;
    for (int again = 0; again < 2 && !last.thrown; ++again) {
        before = std::exchange(last, run_once(reference, conditions));
        difference = last.thrown ? std::string{} : bit_difference(before.results, last.results);
        if (difference.empty()) break;
    }
    if (last.thrown) return {{}, fault_of_reference(last)};
    if (difference.empty()) difference = lone_nan(last.results, how);
    if (difference.empty()) return {std::move(last.results), {}};
    verification unsteady{verification_code::nondeterministic_eager_run,
                          "two runs of the reference with the same seed differ\n" + difference,
                          {}};
    const c10::InferenceMode no_gradients;
    compare_results(unsteady.statistics, before.results, last.results, how, other_runs{});
    return {{}, std::move(unsteady)};
}

/// Compares the candidate's runs with the reference's results. Runs the reference in other precisions only if the
/// outputs need it, and at most once.
class run_judge {
public:
    run_judge(torch_body& reference, const torch_body& candidate, named_tensors expected,
              verifying_conditions& conditions)
        : reference_{reference}, candidate_{candidate}, expected_{std::move(expected)}, conditions_{conditions} {}

    [[nodiscard]] agreement judge(const named_tensors& results) {
        const auto rounding = rounding_of(candidate_, results);
        const auto coarse = rounding ? rounding->dtype ? rounding->dtype : rounding->autocast : std::nullopt;
        agreement first = compare(results, {.computed_in = coarse});
        if (first.same) return first;
        if (!exact_) exact_ = run_in_double(reference_, conditions_);
        if (exact_->empty()) return first;
        if (rounding && !rounded_) rounded_ = run_rounded(*rounding, reference_, conditions_);
        return compare(results, {*exact_, rounded_.value_or(named_tensors{}), coarse});
    }

    [[nodiscard]] error_statistics& statistics() { return statistics_; }

private:
    [[nodiscard]] agreement compare(const named_tensors& results, const other_runs& others) {
        const c10::InferenceMode no_gradients;
        return compare_results(statistics_, expected_, results, candidate_.how, others);
    }

    torch_body& reference_;
    const torch_body& candidate_;
    named_tensors expected_;
    verifying_conditions& conditions_;
    std::optional<named_tensors> exact_;
    std::optional<named_tensors> rounded_;
    error_statistics statistics_;
};

inline verification judge_runs(run_judge& judge, torch_body& candidate, verifying_conditions& conditions) {
    const unsigned runs = candidate.how.runs;
    unsigned passed = 0;
    std::string text;
    for (unsigned run = 1; run <= runs; ++run) {
        const std::string which = runs == 1 ? "" : "run " + std::to_string(run) + " of " + std::to_string(runs) + ": ";
        const outcome result = run_once(candidate, conditions);
        if (result.thrown) {
            verification fault = fault_of_candidate(result);
            return {fault.code, which + fault.text, judge.statistics()};
        }
        const agreement agreed = judge.judge(result.results);
        passed += agreed.same ? 1 : 0;
        if (text.empty() || !agreed.same) text = which + agreed.text;
    }
    if (runs > 1) {
        keep_worst(judge.statistics(), "runs", runs);
        keep_worst(judge.statistics(), "runs_passed", passed);
        text = std::to_string(passed) + " of " + std::to_string(runs) + " runs PASS, and a majority has to\n" + text;
    }
    return {2 * passed > runs ? verification_code::pass : verification_code::fail, text, judge.statistics()};
}

/// The number of rows of the whole batch, from the first input with a dimension.
inline std::int64_t rows_of(const tensor_list& inputs) {
    for (const at::Tensor& each : inputs) {
        if (each.dim() > 0) return each.size(0);
    }
    return 0;
}

inline bool has_rows(const at::Tensor& x, std::int64_t rows) { return x.defined() && x.dim() > 0 && x.size(0) == rows; }

/// The first `rows` rows of an input or output, in its memory format: another one takes other kernels, whose last bits
/// differ. A tensor that does not have `whole` rows stays as it is.
inline at::Tensor cut(const at::Tensor& x, std::int64_t whole, std::int64_t rows) {
    return has_rows(x, whole) ? x.narrow(0, 0, rows).clone() : x;
}

inline std::string reason_not_to_cut(const torch_body& candidate) {
    const std::string prefix = "batch invariance cannot be checked, because ";
    if (!candidate.model.fixed_shapes.empty()) return prefix + candidate.model.fixed_shapes;
    if (candidate.model.results) return prefix + "gradients are sums over the batch";
    return rows_of(candidate.inputs) < 2 ? prefix + "no input has two rows, along its first dimension" : std::string{};
}

/// Compares a half of the batch, a quarter, and so on down to a single row, with the same rows of the whole batch.
/// Ignores outputs without rows, such as means over the batch.
inline verification judge_batches(torch_body& candidate, verification result, verifying_conditions& conditions) {
    const std::int64_t whole = rows_of(candidate.inputs);
    const auto refused = [&](verification_code code, const std::string& text) {
        return verification{code, text, result.statistics};
    };
    const outcome all = run_once(candidate, conditions);
    if (all.thrown) return refused(fault_of_candidate(all).code, fault_of_candidate(all).text);
    if (std::ranges::none_of(all.results, [&](const named_tensor& x) { return has_rows(x.value, whole); }))
        return refused(verification_code::verifier_didnt_run,
                       "batch invariance cannot be checked, because no output has one row for each row of the batch");
    for (std::int64_t rows = whole / 2; rows >= 1; rows /= 2) {
        const std::string where = std::to_string(rows) + " of " + std::to_string(whole) + " rows";
        tensor_list inputs;
        for (const at::Tensor& each : candidate.inputs) inputs.push_back(cut(each, whole, rows));
        if (const std::string reason = candidate.model.refuses ? candidate.model.refuses(inputs) : ""; !reason.empty())
            return refused(verification_code::verifier_didnt_run,
                           "batch invariance cannot be checked, because " + reason);
        const outcome part = run_on(candidate, inputs, conditions);
        if (part.thrown)
            return refused(fault_of_candidate(part).code, "for " + where + ", " + fault_of_candidate(part).text);
        if (part.results.size() != all.results.size())
            return refused(verification_code::fail, "not batch invariant: with " + where + " there are " +
                                                        std::to_string(part.results.size()) + " outputs instead of " +
                                                        std::to_string(all.results.size()));
        for (std::size_t i = 0; i < all.results.size(); ++i) {
            const named_tensor& expected = all.results[i];
            if (!has_rows(expected.value, whole)) continue;
            const std::string difference = bit_difference(cut(expected.value, whole, rows), part.results[i].value);
            if (!difference.empty())
                return refused(verification_code::fail, "not batch invariant: with " + where + ", " + called(expected) +
                                                            " differs: " + difference);
        }
    }
    result.text +=
        "\nbatch invariant: smaller batches, down to one of the " + std::to_string(whole) + " rows, give the same bits";
    return result;
}

/// Further inputs in the dtypes of the body's own inputs, such as half precision.
inline tensor_list in_own_dtypes(tensor_list inputs, const torch_body& body) {
    for (std::size_t i = 0; i < std::min(inputs.size(), body.inputs.size()); ++i) {
        const bool both_float = inputs[i].is_floating_point() && body.inputs[i].is_floating_point();
        if (both_float) inputs[i] = inputs[i].to(body.inputs[i].scalar_type());
    }
    return inputs;
}

/// Why a body must not run on further inputs; empty if it may.
inline std::string reason_to_refuse(const torch_body& body, const tensor_list& inputs) {
    if (inputs.size() != body.inputs.size())
        return "it has " + std::to_string(inputs.size()) + (inputs.size() == 1 ? " tensor" : " tensors") +
               ", but the models take " + std::to_string(body.inputs.size());
    return body.model.refuses ? body.model.refuses(in_own_dtypes(inputs, body)) : std::string{};
}

inline std::string reason_not_to_run(const torch_body& reference, const torch_body& candidate) {
    for (const torch_body* body : {&reference, &candidate}) {
        if (!body->model.error_reason.empty()) return body->model.error_reason;
    }
    if (!equal_inputs(reference, candidate))
        return "the two subjects have different inputs: give both the same tensors";
    for (const tensor_list& inputs : candidate.how.also_on) {
        for (const torch_body* body : {&reference, &candidate})
            if (const std::string reason = reason_to_refuse(*body, inputs); !reason.empty())
                return "inputs in also_on cannot be used: " + reason;
    }
    return candidate.how.batch == batch_rule::invariant ? reason_not_to_cut(candidate) : std::string{};
}

/// Compares both on their own inputs.
inline verification verify_on_inputs(torch_body& reference, torch_body& candidate, verifying_conditions& conditions) {
    steady_results expected = run_reference(reference, candidate.how, conditions);
    if (expected.fault) return *expected.fault;
    run_judge judge{reference, candidate, std::move(expected.results), conditions};
    return judge_runs(judge, candidate, conditions);
}

inline torch_body with_inputs(const torch_body& body, const tensor_list& inputs) {
    return {.model = body.model,
            .inputs = in_own_dtypes(inputs, body),
            .device = body.device,
            .how = body.how,
            .settings = body.settings};
}

/// Compares both on further inputs until they disagree.
inline void verify_on_more(verification& result, const torch_body& reference, const torch_body& candidate,
                           verifying_conditions& conditions) {
    const std::size_t count = candidate.how.also_on.size();
    for (std::size_t i = 0; i < count && result.code == verification_code::pass; ++i) {
        torch_body first = with_inputs(reference, candidate.how.also_on[i]),
                   second = with_inputs(candidate, candidate.how.also_on[i]);
        verification other = verify_on_inputs(first, second, conditions);
        result.code = other.code;
        if (other.code != verification_code::pass)
            result.text =
                "on input " + std::to_string(i + 1) + " of " + std::to_string(count) + " in also_on: " + other.text;
        for (const auto& [name, value] : other.statistics) keep_worst(result.statistics, name, value);
    }
    if (count > 0 && result.code == verification_code::pass)
        result.text += "\nand on " + std::to_string(count) + " further inputs";
}

verification verify(torch_body& reference, torch_body& candidate) {
    const accuracy& how = candidate.how;
    if (!how.skipped.empty()) return {verification_code::verifier_skipped, how.skipped, {}};
    if (const std::string reason = reason_not_to_run(reference, candidate); !reason.empty())
        return {verification_code::verifier_didnt_run, reason, {}};
    verifying_conditions conditions{reference.device};
    // The module's parameters may have changed since they were converted.
    reference.converted.reset();
    candidate.converted.reset();
    verification result = verify_on_inputs(reference, candidate, conditions);
    verify_on_more(result, reference, candidate, conditions);
    if (result.code == verification_code::pass && how.batch == batch_rule::invariant)
        result = judge_batches(candidate, result, conditions);
    if (result.code == verification_code::pass && how.golden == golden_rule::kept)
        result = with_fingerprints(candidate, result, conditions);
    return result;
}

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {

std::vector<tensor_list> generated(const std::function<tensor_list(std::uint64_t seed)>& make,
                                   const std::vector<std::uint64_t>& seeds) {
    detail::saved_random_numbers random{c10::Device{c10::kCPU}};
    std::vector<tensor_list> all;
    for (const std::uint64_t seed : seeds) {
        random.seed(seed);
        all.push_back(make(seed));
    }
    return all;
}

}  // namespace perfspec::inline v0_2
