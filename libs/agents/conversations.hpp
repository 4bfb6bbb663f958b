// The conversations of programs that were interrupted because of a limit, for whichever agent of this process
// gets the task next. They are remembered as long as the process lives. Pure: time is an argument.
#pragma once

#include "agent_driver/prompt.hpp"
#include "agent_driver/settings.hpp"
#include "agents/work_end.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace agents {

class Conversations {
  public:
    using Time = std::chrono::steady_clock::time_point;
    // The key of a conversation: which task it is, for which program, and where. Equal tasks have the same
    // key.
    using Key = std::pair<std::string, std::uint64_t>;

    static constexpr std::size_t most = 1000;
    static constexpr std::chrono::hours longest{24};

    // `account`: the program's login, as text. `content`: of the task.
    static Key key(const agent_driver::Settings& settings, std::string_view account,
                   std::string_view content);

    // If there are too many, the oldest is forgotten.
    void keep(Key key, agent_driver::Begun begun, Time now);
    // The task's conversation, once; without an id if there is none.
    agent_driver::Begun take(const Key& key, Time now);

  private:
    struct Kept {
        agent_driver::Begun begun;
        Time since;
    };
    std::multimap<Key, Kept> kept_;
};

// Whether the work ended in a way in which its conversation is worth going on with. `resumed`: it had been
// one already.
bool is_worth_resuming(const WorkEnd& end, bool resumed);
// The conversation of that work, which had used `before` when the work began.
agent_driver::Begun to_go_on(const WorkEnd& end, const agent_driver::Usage& before);
// Whether the program could not go on with this conversation: it has begun another one by itself, or none.
bool lacks_conversation(const WorkEnd& end, std::string_view id);
bool has_no_conversation(const WorkEnd& end);

}  // namespace agents
