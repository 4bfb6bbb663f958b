// Checks an agent's response before it is given in, so that a wrong one can be mended in the same
// conversation. The submitter checks it again. Pure.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace agents {

class ResponseCheck {
  public:
    // `schema` is the submitter's JSON Schema of the response, or empty: then every response is valid. A
    // schema that cannot be used counts as none, because the submitter checks anyway.
    explicit ResponseCheck(std::string_view schema);
    ~ResponseCheck();
    ResponseCheck(ResponseCheck&&) noexcept;
    ResponseCheck& operator=(ResponseCheck&&) noexcept;

    // What is wrong with the response, a line for each mistake (at most 20); empty if it is valid.
    std::string mistakes(std::string_view response) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace agents
