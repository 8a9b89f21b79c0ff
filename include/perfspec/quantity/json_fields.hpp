// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Structs as objects of JSON, by one list of their fields. Baseline files, result lines and messages between processes
// are read and written by these lists. A member without a line in its list does not compile.

namespace perfspec::inline v0_2::detail {

template <class T, class Member> struct field {
    std::string_view name;
    Member T::*member;
    bool omits_zero = false;  ///< in baseline files and messages
};

template <class T, class Member> field(const char*, Member T::*) -> field<T, Member>;
template <class T, class Member> field(const char*, Member T::*, bool) -> field<T, Member>;

/// A tuple of `field`, in the order of the struct. It is specialized for every struct that is an object.
template <class T> inline constexpr std::tuple<> fields_of;

template <class T>
concept Described = std::tuple_size_v<std::remove_const_t<decltype(fields_of<T>)>>
!= 0;

/// The member that names a struct. A list of such structs is a JSON object: the names are its member names.
template <class T> inline constexpr std::nullptr_t name_member = nullptr;

template <class T>
concept Named = Described<T> && std::is_member_object_pointer_v<std::remove_const_t<decltype(name_member<T>)>>;

/// The last enumerator, of enumerations that are written as words.
template <class E> inline constexpr std::nullptr_t last_enumerator = nullptr;

template <> inline constexpr auto last_enumerator<better> = better::more;
template <> inline constexpr auto last_enumerator<dimension> = dimension::spread;

/// Converts to any member in a braced list, but not to an optional. An optional also converts from its value type: the
/// conversion would be ambiguous.
struct any_member {
    template <class T>
    requires(!requires(T t) { t.has_value(); }) operator T()
        const;  // NOLINT(google-explicit-constructor): never called
};

/// The number of members of a struct: the length of the longest braced list that initializes it.
template <class T, class... Members> consteval std::size_t member_count() {
    if constexpr (requires { T{Members{}..., any_member{}}; }) return member_count<T, Members..., any_member>();
    return sizeof...(Members);
}

/// Whether each member of a struct is in its list or is its name.
template <class T>
inline constexpr bool every_member_is_a_field =
    std::tuple_size_v<std::remove_const_t<decltype(fields_of<T>)>> + (Named<T> ? 1 : 0) == member_count<T>();

/// Calls `visit(name, value)` for each field, in order.
template <class T, class Visit>
requires Described<std::remove_const_t<T>>
void visit_fields(T& object, Visit visit) {
    static_assert(every_member_is_a_field<std::remove_const_t<T>>, "perfspec: a member is not in the list of fields");
    std::apply([&](const auto&... f) { (visit(f.name, object.*f.member), ...); }, fields_of<std::remove_const_t<T>>);
}

/// The place of a value, for messages, and how to read it.
struct json_place {
    std::string path{};  ///< "evidence.seed"
    bool strict{};       ///< refuse unknown members, and require all that files do not omit

    [[nodiscard]] json_place member(std::string_view name) const;
    [[nodiscard]] json_place item(std::size_t number) const;
};

/// Throws json_fault with the field, its value, and the expectation.
[[noreturn]] void refuse_field(const json_value& value, const json_place& at, std::string_view expected);
void require_kind(const json_value& value, json_kind kind, const json_place& at, std::string_view expected);
void refuse_unknown_members(const json_value& object, const std::vector<std::string_view>& known);
/// The member of an object. Throws json_fault if it is missing.
[[nodiscard]] const json_value& required(const json_value& object, std::string_view name);

[[nodiscard]] std::uint64_t read_whole(const json_value& v, const json_place& at, std::uint64_t maximum);

// Each reads a value, and throws json_fault for one of the wrong kind.

void read_field(const json_value& v, std::string& into, const json_place& at);
void read_field(const json_value& v, double& into, const json_place& at);
void read_field(const json_value& v, bool& into, const json_place& at);
void read_field(const json_value& v, std::vector<std::pair<std::string, std::string>>& into, const json_place& at);

/// The word of a value. It has no blanks: "skipped".
[[nodiscard]] std::string file_word(better b);
[[nodiscard]] std::string file_word(dimension d);
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string file_word(E e) {
    std::string word = to_string(e);
    for (char& c : word)
        if (c == ' ') c = '_';
    return word;
}

template <class E>
requires std::is_enum_v<E>
void read_field(const json_value& v, E& into, const json_place& at) {
    std::string words;
    for (int n = 0; n <= static_cast<int>(last_enumerator<E>); ++n) {
        const std::string word = file_word(static_cast<E>(n));
        if (v.kind == json_kind::string && v.text == word) {
            into = static_cast<E>(n);
            return;
        }
        words += (words.empty() ? "one of " : ", ") + word;
    }
    refuse_field(v, at, words);
}
template <std::integral T> void read_field(const json_value& v, T& into, const json_place& at) {
    into = static_cast<T>(read_whole(v, at, static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
}
template <Described T> void read_field(const json_value& v, T& into, const json_place& at);
template <class T> void read_field(const json_value& v, std::optional<T>& into, const json_place& at);

template <class T> void read_field(const json_value& v, std::vector<T>& into, const json_place& at) {
    require_kind(v, Named<T> ? json_kind::object : json_kind::array, at, Named<T> ? "an object" : "a list");
    into.clear();
    for (const json_value& item : v.items) {
        T& read = into.emplace_back();
        if constexpr (Named<T>) read.*name_member<T> = item.name;
        read_field(item, read, Named<T> ? at.member(item.name) : at.item(into.size() - 1));
    }
}

/// Whether baseline files and messages omit a value: empty texts and lists, null, and some zeros.
template <class T, class Member> bool is_omitted(const field<T, Member>& f, const Member& value) {
    if constexpr (requires { value.empty(); }) return value.empty();
    else if constexpr (requires { value.has_value(); }) return !value.has_value();
    else if constexpr (std::is_arithmetic_v<Member>) return f.omits_zero && value == Member{};
    else return false;
}

/// Reads the fields of a struct. Fields that the object lacks keep their values.
template <Described T> void read_field(const json_value& v, T& into, const json_place& at) {
    static_assert(every_member_is_a_field<T>, "perfspec: a member is not in the list of fields");
    require_kind(v, json_kind::object, at, "an object");
    std::vector<std::string_view> names;
    const auto read = [&]<class Of, class Member>(const field<Of, Member>& f) {
        names.push_back(f.name);
        if (const json_value* found = v.member(f.name)) read_field(*found, into.*f.member, at.member(f.name));
        else if (at.strict && !is_omitted(f, Member{})) static_cast<void>(required(v, f.name));
    };
    std::apply([&](const auto&... f) { (read(f), ...); }, fields_of<T>);
    if (at.strict) refuse_unknown_members(v, names);
}
template <class T> void read_field(const json_value& v, std::optional<T>& into, const json_place& at) {
    into.reset();
    if (v.kind != json_kind::null) read_field(v, into.emplace(), at);
}

/// The text, with U+FFFD instead of each byte that is not part of a UTF-8 character.
[[nodiscard]] std::string utf8_or_replaced(std::string_view text);

// Each writes a value.

[[nodiscard]] std::string json(std::string_view text);
[[nodiscard]] std::string json(double number);
[[nodiscard]] inline std::string json(const std::string& text) { return json(std::string_view(text)); }
[[nodiscard]] inline std::string json(const char* text) { return json(std::string_view(text)); }
[[nodiscard]] inline std::string json(bool value) { return value ? "true" : "false"; }

/// Writes pairs as an object, in their order. If two have the same name, only the later one is written.
[[nodiscard]] std::string json(const std::vector<std::pair<std::string, std::string>>& pairs);

template <std::integral T> [[nodiscard]] std::string json(T number) { return std::to_string(number); }
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string json(E word) { return json(file_word(word)); }
template <Described T> [[nodiscard]] std::string json(const T& object);
template <class T> [[nodiscard]] std::string json(const std::optional<T>& value);
template <class T> [[nodiscard]] std::string json(const std::vector<T>& values);

/// Builds the text of an object.
class json_members {
public:
    template <class T> void add(std::string_view name, const T& value) { add_raw(name, json(value)); }
    void add_raw(std::string_view name, std::string_view value);
    [[nodiscard]] std::string object() const { return text_.empty() ? "{}" : text_ + "}"; }

private:
    std::string text_;
};

template <class T> std::string json(const std::vector<T>& values) {
    if constexpr (Named<T>) {
        json_members members;
        for (const T& value : values) members.add(value.*name_member<T>, value);
        return members.object();
    } else {
        std::string text = "[";
        for (const T& value : values) text += (text.size() == 1 ? "" : ",") + json(value);
        return text + "]";
    }
}
template <Described T> std::string json(const T& object) {
    json_members members;
    visit_fields(object, [&](std::string_view name, const auto& value) { members.add(name, value); });
    return members.object();
}
template <class T> std::string json(const std::optional<T>& value) { return value ? json(*value) : "null"; }

/// The text with a blank after each colon and comma.
[[nodiscard]] std::string with_blanks(std::string_view json);

/// A message to another process: one line, without its end.
template <Described T> [[nodiscard]] std::string message_line(const T& object) {
    json_members members;
    const auto add = [&](const auto& f) {
        if (!is_omitted(f, object.*f.member)) members.add(f.name, object.*f.member);
    };
    std::apply([&](const auto&... f) { (add(f), ...); }, fields_of<T>);
    return members.object();
}

/// Throws json_fault for another text than JSON.
[[nodiscard]] json_value read_message(std::string_view line);
/// Skips unknown members. Throws json_fault for another text than an object of JSON, and for a value of the wrong kind.
template <Described T> [[nodiscard]] T read_message_as(std::string_view line) {
    T message;
    read_field(read_message(line), message, json_place{});
    return message;
}

/// A struct in the form of baseline files.
template <Described T> [[nodiscard]] std::string json_in_file(const T& object) {
    return with_blanks(message_line(object));
}

}  // namespace perfspec::inline v0_2::detail
