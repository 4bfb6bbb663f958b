// A port for a server that listens there again after it was killed. No other test is given it as long as this
// lasts, and the kernel gives it to no client: it is below the kernel's range. The tests in test/e2e claim
// their ports in the same way (harness/ports.py).
#pragma once

#include "io/unique_fd.hpp"

namespace test {

class ClaimedPort {
  public:
    // A port of the loopback interface on which nobody listens.
    ClaimedPort();

    int number() const { return number_; }

  private:
    io::UniqueFd claim_;  // a socket whose name says that the port is taken
    int number_ = 0;
};

}  // namespace test
