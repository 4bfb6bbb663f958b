// The members of notes, read and written one by one. Private to this library.
#pragma once

#include "base/error.hpp"
#include "edge/engine.hpp"
#include "json/json.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace edge_shell {

// A value of an enumeration, and its name in JSON.
template<class Value>
struct Named {
    Value value;
    std::string_view name;
};

template<class Value, std::size_t Count>
std::string_view name_of(const std::array<Named<Value>, Count>& names, Value value) {
    for (const auto& named : names)
        if (named.value == value) return named.name;
    return "";
}

// `"task":…,"labels":[…],"priority":…`
std::string task_members(const edge::TaskId& task, const edge::Queue& queue);
// The timeout in milliseconds, rounded up; or null.
std::string timeout_text(const std::optional<edge::Duration>& timeout);

// Reads members, and keeps the first that is absent or not valid.
class NoteMembers {
  public:
    explicit NoteMembers(json::View object) : object_(object) {}

    void read(std::string_view name, std::string& text);
    void read(std::string_view name, edge::TaskId& task);
    void read(std::string_view name, bool& flag);
    void read(std::string_view name, int& count);
    void read(std::string_view name, std::optional<edge::Duration>& timeout);
    void read(std::string_view name, edge::Nonce& nonce);
    void read(std::string_view name, std::optional<edge::StoreId>& store);
    // `labels` and `priority`.
    void read_queue(edge::Queue& queue);

    template<class Value, std::size_t Count>
    void read(std::string_view name, Value& value, const std::array<Named<Value>, Count>& names) {
        auto text = find(name, json::Kind::string);
        for (const auto& named : names)
            if (text && text->is_string(named.name)) return void(value = named.value);
        fail(name);
    }

    const std::optional<base::Error>& problem() const { return problem_; }

  private:
    std::optional<json::View> find(std::string_view name, json::Kind kind) const;
    bool is_null(std::string_view name) const { return find(name, json::Kind::null).has_value(); }
    void fail(std::string_view name);

    json::View object_;
    std::optional<base::Error> problem_;
};

}  // namespace edge_shell
