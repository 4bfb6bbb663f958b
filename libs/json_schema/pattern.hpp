// Regular expressions of `pattern`: ECMA 262, applied to code points, matched anywhere in the text. Uses
// PCRE2, whose JIT can match a group that repeats over ten million characters. Internal to
// json_schema/schema.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace json_schema {

class Pattern {
  public:
    // `expression` is UTF-8. The error is errc::invalid_argument.
    static base::Result<Pattern> compile(std::string_view expression);

    // `text` is UTF-8. Fails if the match takes more than about a second or 512 MiB of memory: the cost of an
    // expression may double with each character.
    base::Result<bool> found_in(std::string_view text) const;

  private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace json_schema
