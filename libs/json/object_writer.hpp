// Writes an object of JSON on one line, member by member.
#pragma once

#include "base/text.hpp"
#include "json/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace json {

class ObjectWriter {
  public:
    ObjectWriter& text(std::string_view name, std::string_view value) {
        begin(name);
        append_quoted(out_, value);
        return *this;
    }
    ObjectWriter& number(std::string_view name, std::int64_t value) {
        begin(name);
        base::append_piece(out_, value);
        return *this;
    }
    ObjectWriter& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
    ObjectWriter& raw(std::string_view name, std::string_view json) {
        begin(name);
        out_ += json;
        return *this;
    }
    std::string done() const { return out_ + "}"; }

  private:
    void begin(std::string_view name) {
        if (out_.size() > 1) out_ += ',';
        append_quoted(out_, name);
        out_ += ':';
    }
    std::string out_ = "{";
};

}  // namespace json
