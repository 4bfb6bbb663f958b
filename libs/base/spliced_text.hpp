// A text with a possibly large, shared value in its middle. It is kept in three pieces, so that the value
// need not be copied into it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace base {

class SplicedText {
  public:
    SplicedText() = default;
    SplicedText(std::string text) : before_(std::move(text)) {}
    SplicedText(const char* text) : before_(text) {}
    SplicedText(std::string before, std::shared_ptr<const std::string> value, std::string after)
        : before_(std::move(before)), value_(std::move(value)), after_(std::move(after)) {}

    // This text with others around it.
    SplicedText within(std::string_view before, std::string_view after) && {
        before_.insert(0, before);
        after_.append(after);
        return std::move(*this);
    }

    // The pieces are valid as long as this object.
    std::array<std::string_view, 3> pieces() const {
        return {before_, value_ ? std::string_view(*value_) : std::string_view(), after_};
    }
    std::size_t size() const { return before_.size() + (value_ ? value_->size() : 0) + after_.size(); }

    // All pieces concatenated.
    std::string text() const {
        std::string out;
        out.reserve(size());
        for (std::string_view piece : pieces())
            out.append(piece);
        return out;
    }

  private:
    std::string before_;
    std::shared_ptr<const std::string> value_;  // may be null
    std::string after_;
};

}  // namespace base
