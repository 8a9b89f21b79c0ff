// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <atomic>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

inline std::uint64_t next_subject_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

inline std::size_t storage_offset() {
    constexpr std::size_t alignment = alignof(std::max_align_t);
    return (sizeof(subject_state) + alignment - 1) / alignment * alignment;
}

inline void release(subject_state* s) noexcept {
    if (--s->owners != 0) { return; }
    if (s->constructed && s->functions->destroy != nullptr) { s->functions->destroy(s->storage); }
    if (s->destroy_load != nullptr) { s->destroy_load(s->load_step); }
    s->~subject_state();
    ::operator delete(s);
}

inline double declared_work(const subject_state& s, const char* what, double n) {
    constexpr double maximum = 0x1p63;  // a wrapped negative difference of unsigned numbers is larger
    if (!(n > 0.0) || n >= maximum) {
        throw input_error("subject \"" + s.name + "\": ." + what + "(" + std::to_string(n) +
                          ") is no amount of work: give a positive number below 2^63, such as ." + what + "(1000)");
    }
    return n;
}

}  // namespace detail

// The state and the body share one block, so a subject costs one allocation.
subject::subject(std::string_view name, const body_functions& functions, std::size_t size) : state_(nullptr) {
    const std::size_t offset = detail::storage_offset();
    void* block = ::operator new(offset + size);
    state_ = ::new (block) detail::subject_state;
    state_->id = detail::next_subject_id();
    state_->name = name;
    state_->functions = &functions;
    state_->storage = static_cast<std::byte*>(block) + offset;
}

subject::subject(const subject& other) noexcept : state_(other.state_) { ++state_->owners; }

subject& subject::operator=(const subject& other) noexcept {
    ++other.state_->owners;
    detail::release(std::exchange(state_, other.state_));
    return *this;
}

subject::~subject() { detail::release(state_); }

void* subject::storage() const noexcept { return state_->storage; }

void subject::constructed() noexcept { state_->constructed = true; }

std::string_view subject::name() const noexcept { return state_->name; }

subject& subject::items(double n) & {
    state_->items = detail::declared_work(*state_, "items", n);
    return *this;
}

subject& subject::bytes(double n) & {
    state_->bytes = detail::declared_work(*state_, "bytes", n);
    return *this;
}

subject& subject::flops(double n) & {
    state_->flops = detail::declared_work(*state_, "flops", n);
    return *this;
}

subject& subject::axis(std::string_view name, std::string_view value) & {
    const auto same = std::ranges::find(state_->axes, name, &std::pair<std::string, std::string>::first);
    if (same != state_->axes.end()) {
        same->second = value;
    } else {
        state_->axes.emplace_back(name, value);
    }
    return *this;
}

subject& subject::axis(std::string_view name, long long value) & {
    return axis(name, std::string_view{std::to_string(value)});
}

subject& subject::unverified() & {
    state_->verify = false;
    return *this;
}

subject& subject::may_be_optimized_away() & {
    state_->may_be_optimized_away = true;
    return *this;
}

subject& subject::load(void* step, void (*run)(void*), void (*destroy)(void*) noexcept) {
    if (state_->destroy_load != nullptr) { state_->destroy_load(state_->load_step); }
    state_->load_step = step;
    state_->run_load = run;
    state_->destroy_load = destroy;
    state_->loaded = false;
    return *this;
}

void detail::declare_like(subject& made, const subject& inner) {
    static_cast<subject_declarations&>(made.state()) = inner.state();
}

void subject::refuse(std::string_view reason) { state_->error_reason = reason; }

void subject::lacks(std::string_view what) { state_->skip_reason = what; }

}  // namespace perfspec::inline v0_2
