// Regular expressions of `pattern`: ECMA 262 as far as it agrees with Perl, over code points, anywhere in the
// text. Boost.Regex, because std::regex overflows the stack on a long text. Inner part of config/schema.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace config {

class Pattern {
  public:
    static base::Result<Pattern> compile(std::string_view expression);

    // `text` is UTF-8. An error if matching takes too long to be finished.
    base::Result<bool> found_in(std::string_view text) const;

  private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace config
