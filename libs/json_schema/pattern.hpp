// Regular expressions of `pattern`: ECMA 262's, over code points, found anywhere in the text. By PCRE2, whose
// compiled matching takes a group for each of ten million characters. Inner part of json_schema/schema.
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

    // `text` is UTF-8. An error if it takes more than a second or so to tell, or 512 MiB of memory: what an
    // expression costs may double with each character.
    base::Result<bool> found_in(std::string_view text) const;

  private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace json_schema
