// Strong types for ids, so that ids of different kinds cannot be mixed up.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace base {

// StrongId<struct TaskTag> and StrongId<struct StepTag> do not convert into each other.
template<class Tag, class Number = std::uint64_t>
struct StrongId {
    Number value{};

    friend auto operator<=>(const StrongId&, const StrongId&) = default;
};

// An id that is text. Converts implicitly from and to text, but not to other kinds of ids.
template<class Tag>
class TextId {
  public:
    TextId() = default;
    TextId(std::string text) : text_(std::move(text)) {}
    TextId(const char* text) : text_(text) {}
    explicit TextId(std::string_view text) : text_(text) {}

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    operator std::string_view() const { return text_; }

    friend auto operator<=>(const TextId&, const TextId&) = default;

  private:
    std::string text_;
};

}  // namespace base

template<class Tag, class Number>
struct std::hash<base::StrongId<Tag, Number>> {
    std::size_t operator()(base::StrongId<Tag, Number> id) const noexcept {
        return std::hash<Number>{}(id.value);
    }
};

template<class Tag>
struct std::hash<base::TextId<Tag>> {
    std::size_t operator()(const base::TextId<Tag>& id) const noexcept {
        return std::hash<std::string>{}(id.text());
    }
};
