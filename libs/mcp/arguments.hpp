// The arguments of a tool, which a model has written: all mistakes in them are reported at once. Unknown
// arguments are ignored, because clients add some of their own; mcp/machine names them in the result. Pure.
#pragma once

#include "json/json.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mcp {

// The largest value of a number that has none.
inline constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

class Arguments {
  public:
    // The text of a JSON object, which must outlive this.
    explicit Arguments(std::string_view object) : object_(json::View::of(object)) {}

    // The value of an argument that is missing, or null, is the one that is given here.
    std::string text(std::string_view name, std::string_view missing);
    // The argument must be there, and not empty.
    std::string required_text(std::string_view name);
    // One of `choices`; "" if the argument is missing.
    std::string choice(std::string_view name, std::span<const std::string_view> choices);
    // 5.0 is 5, as in JSON Schema.
    std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t missing);
    // False if the argument is missing.
    bool flag(std::string_view name);
    std::vector<std::string> texts(std::string_view name);
    std::vector<std::int64_t> integers(std::string_view name);  // none of them negative
    // JSON of any kind, on one line; empty if it is missing.
    std::string json(std::string_view name) const;
    // As json(); of a string that contains JSON, what it contains.
    std::string inner_json(std::string_view name) const;

    // Notes a mistake that only the caller can see. `what` follows the name: "must be the name of a step".
    void mistake(std::string_view name, std::string_view what);
    // A sentence for each mistake; empty if there is none.
    const std::string& mistakes() const { return mistakes_; }

  private:
    std::optional<json::View> find(std::string_view name) const;

    json::View object_;
    std::string mistakes_;
};

}  // namespace mcp
