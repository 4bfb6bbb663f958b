// A translator for one kind of program. Conversation keeps what is the same for all kinds. For this room
// only.
#pragma once

#include "agent_driver/actions.hpp"
#include "agent_driver/launch.hpp"
#include "agent_driver/prompt.hpp"
#include "agent_driver/room.hpp"
#include "agent_driver/settings.hpp"
#include "agent_driver/surroundings.hpp"
#include "agent_driver/writing.hpp"
#include "json/json.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace agent_driver {

// The program is trying again after this failure, or, without one, has got through again.
struct Retrying {
    std::optional<Failure> failure;
};

// What a driver has read in a line, and what it answers. Answer::text holds all the words of the model.
using Event = std::variant<Send, Session, Activity, Usage, Denied, Answer, Failure, Retrying, Words>;
using Events = std::vector<Event>;

// What a text costs that is kept under a key, besides itself.
inline constexpr std::size_t cost_of_key = 128;  // bytes

inline constexpr std::string_view model_words = "the words of its model";
inline constexpr std::string_view tool_calls = "what the tools of its model were to do";
inline constexpr std::string_view message_ids = "the ids of its messages";

class Driver {
  public:
    virtual ~Driver() = default;

    // The kind's own command line and first lines. Called first, and once.
    virtual Launch launch() = 0;
    // `message` is an object that the program has printed on one line.
    virtual Events read(json::View message) = 0;
    // A line that the program has printed for people, as plain text.
    virtual Events read_log(std::string_view) { return {}; }
    // Sends `text` as the next message of the user. Called after an answer.
    virtual Events say(std::string_view text) = 0;
    // Asks the program to end the turn.
    virtual Events interrupt() = 0;

    // The room for what the driver keeps. When there is none left, the conversation is over.
    const Room& room() const { return room_; }

  protected:
    // Makes `kept` the text, or appends it, if there is room; `what` is as for Room::take().
    void keep(std::string& kept, std::string_view what, std::string text) {
        drop(kept);
        if (room_.take(what, text.size())) kept = std::move(text);
    }
    void append(std::string& kept, std::string_view what, std::string_view text) {
        if (room_.take(what, text.size())) kept += text;
    }
    // Notes what the call is to do.
    void remember_call(std::map<std::string, std::string>& calls, std::string id, std::string text) {
        auto [call, is_new] = calls.try_emplace(std::move(id));
        if (is_new && !room_.take(tool_calls, call->first.size() + cost_of_key))
            calls.erase(call);
        else
            keep(call->second, tool_calls, std::move(text));
    }
    void drop(std::string& kept) {
        room_.give_back(kept.size());
        kept.clear();
    }

    Room room_;
};

std::unique_ptr<Driver> make_claude(const Settings& settings, const Prompt& prompt,
                                    const Surroundings& surroundings);
std::unique_ptr<Driver> make_codex(const Settings& settings, const Prompt& prompt,
                                   const Surroundings& surroundings);
std::unique_ptr<Driver> make_gemini(const Settings& settings, const Prompt& prompt,
                                    const Surroundings& surroundings);
std::unique_ptr<Driver> make_acp(const Settings& settings, const Prompt& prompt,
                                 const Surroundings& surroundings);

// The secrets that are none of the program's own, by the beginnings of its variables' names.
std::vector<std::string> foreign_secrets(const Surroundings& surroundings,
                                         std::span<const std::string_view> own_beginnings);

// What an HTTP status of the provider means; nothing if it is no error's status.
std::optional<FailureKind> kind_of_status(std::int64_t status);

}  // namespace agent_driver
