// Reads and writes the members of what agents tell of their work: texts, counts and prices with limits. For
// this library only.
#pragma once

#include "json/json.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

inline constexpr std::size_t longest_text = 200;  // bytes

// `"name":…,`: what exceeds the limits is cut to them. A text or a price that is absent gives nothing.
std::string bounded_text_member(std::string_view name, std::string_view text);
std::string turns_member(std::string_view name, int turns);
std::string tokens_member(std::string_view name, std::uint64_t tokens);
std::string usd_member(const std::optional<double>& usd);
// Unix time in ms; 0 gives nothing.
std::string time_member(std::string_view name, std::uint64_t time);

// Reads members, each of which may be absent or null, and notes whether one of them has the wrong type or
// exceeds its limit.
class BoundedMembers {
  public:
    explicit BoundedMembers(json::View object) : members_(object.members()) {}

    void read(std::string_view name, std::string& text, std::size_t most = longest_text);
    void read(std::string_view name, int& turns);
    void read(std::string_view name, std::uint64_t& tokens);
    void read(std::string_view name, std::optional<double>& usd);
    void read_time(std::string_view name, std::uint64_t& time);

    bool valid() const { return valid_; }

  private:
    std::optional<json::View> find(std::string_view name) const;

    std::vector<json::Member> members_;
    bool valid_ = true;
};

}  // namespace pool_protocol
