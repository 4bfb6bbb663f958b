#include "edge_shell/note_members.hpp"

#include "base/text.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>
#include <vector>

namespace edge_shell {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_timeout = std::chrono::duration_cast<milliseconds>(edge::Duration::max());

template<class Number>
std::optional<Number> within(const std::optional<std::int64_t>& number, Number least, Number most) {
    if (!number || *number < least || *number > most) return std::nullopt;
    return static_cast<Number>(*number);
}

// A text of decimal digits, because integers of JSON may be too small for it.
std::optional<std::uint64_t> unsigned_number(json::View value) {
    if (!value.is(json::Kind::string)) return std::nullopt;
    const std::string text = value.string();
    std::uint64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<base::Labels> labels_in(json::View array) {
    std::vector<std::string> texts;
    for (json::View element : array.elements()) {
        if (!element.is(json::Kind::string)) return std::nullopt;
        texts.push_back(element.string());
    }
    auto labels = base::Labels::of(std::move(texts));
    if (labels.has_error()) return std::nullopt;
    return std::move(*labels);
}

}  // namespace

std::string task_members(const edge::TaskId& task, const edge::Queue& queue) {
    return base::concat("\"task\":", json::quote(task.text()),
                        ",\"labels\":", json::quoted_list(queue.labels.texts()),
                        ",\"priority\":", queue.priority);
}

std::string timeout_text(const std::optional<edge::Duration>& timeout) {
    if (!timeout) return "null";
    return std::to_string(
        std::clamp(std::chrono::ceil<milliseconds>(*timeout), milliseconds(0), longest_timeout).count());
}

std::optional<json::View> NoteMembers::find(std::string_view name, json::Kind kind) const {
    auto member = object_.find(name);
    return member && member->is(kind) ? member : std::nullopt;
}

void NoteMembers::fail(std::string_view name) {
    if (!problem_) problem_ = base::invalid(base::concat("the note has no valid \"", name, "\""));
}

void NoteMembers::read(std::string_view name, std::string& text) {
    auto member = find(name, json::Kind::string);
    if (!member) return fail(name);
    text = member->string();
}

void NoteMembers::read(std::string_view name, edge::TaskId& task) {
    auto member = find(name, json::Kind::string);
    if (!member || !pool_protocol::is_id(member->string())) return fail(name);
    task = member->string();
}

void NoteMembers::read(std::string_view name, bool& flag) {
    auto member = find(name, json::Kind::boolean);
    if (!member) return fail(name);
    flag = member->boolean();
}

void NoteMembers::read(std::string_view name, int& count) {
    auto member = find(name, json::Kind::number);
    auto number = member ? within(member->integer(), 0, std::numeric_limits<int>::max()) : std::nullopt;
    if (!number) return fail(name);
    count = *number;
}

void NoteMembers::read(std::string_view name, std::optional<edge::Duration>& timeout) {
    if (is_null(name)) return timeout.reset();
    auto member = find(name, json::Kind::number);
    auto number = member ? within<std::int64_t>(member->integer(), 0, longest_timeout.count()) : std::nullopt;
    if (!number) return fail(name);
    timeout = milliseconds(*number);
}

void NoteMembers::read(std::string_view name, edge::Nonce& nonce) {
    auto member = find(name, json::Kind::array);
    auto numbers = member ? member->elements() : std::vector<json::View>();
    if (numbers.size() != 2) return fail(name);
    auto start = unsigned_number(numbers[0]);
    auto number = unsigned_number(numbers[1]);
    if (!start || !number) return fail(name);
    nonce = {*start, *number};
}

void NoteMembers::read(std::string_view name, std::optional<edge::StoreId>& store) {
    if (is_null(name)) return store.reset();
    auto member = object_.find(name);
    auto number = member ? unsigned_number(*member) : std::nullopt;
    if (!number) return fail(name);
    store = edge::StoreId{*number};
}

void NoteMembers::read_queue(edge::Queue& queue) {
    using Priority = std::numeric_limits<std::int32_t>;
    auto array = find("labels", json::Kind::array);
    auto labels = array ? labels_in(*array) : std::nullopt;
    if (!labels) return fail("labels");
    auto member = find("priority", json::Kind::number);
    auto priority = member ? within(member->integer(), Priority::min(), Priority::max()) : std::nullopt;
    if (!priority) return fail("priority");
    queue = {std::move(*labels), *priority};
}

}  // namespace edge_shell
