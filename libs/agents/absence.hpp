// The time in which an agent takes no task: it rests, or its account is parked. The pool does not see it
// meanwhile, so its process and the daemon are told.
#pragma once

#include "agents/agent_options.hpp"
#include "agents/park.hpp"

namespace agents {

AbsenceNotice notice_of(const Park& park, std::chrono::system_clock::time_point now);

// Lasts as long as the object lives; the options must outlive it.
class Absence {
  public:
    Absence(const AgentOptions& options, AbsenceNotice notice);
    ~Absence();
    Absence(const Absence&) = delete;
    Absence& operator=(const Absence&) = delete;

  private:
    const AgentOptions& options_;
};

}  // namespace agents
