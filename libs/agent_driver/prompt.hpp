// The texts that a conversation sends to a model. Pure.
#pragma once

#include "agent_driver/actions.hpp"
#include "agent_driver/images.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

// A conversation with a program that was interrupted.
struct Begun {
    std::string id = {};  // the program's own: see is_conversation_id(). Empty: there is none
    Usage used = {};      // what it had used in all, as far as the program has told
};

// A task. `common` comes first, because providers charge less for a beginning that they have seen before.
struct Prompt {
    std::string common;  // the step's instructions: the same for all tasks of the step
    std::string value;   // the task's value: JSON
    // The JSON Schema of the response, an array of tasks. Its references point into itself
    // ("#/definitions/x").
    std::optional<std::string> response_schema;
    // How often a program that checks answers itself may ask for another one.
    int max_repairs = 2;
    // What the directory says to models; the same for all tasks there. Empty: nothing, or the program reads
    // it itself.
    std::string project = {};
    // The conversation in which this task was begun, with which the program is to go on, by its id. Empty: a
    // new one.
    std::string resume = {};
    Usage used_before = {};  // in that conversation
};

// The instructions. Begins with a letter, so that no program takes it for a command. `wrapped`: the answer is
// to be an object with the array as its member "tasks".
std::string instructions_text(const Prompt& prompt, bool wrapped);

// The task's value and what it is, and the names of its images.
std::string value_text(std::string_view value, const Images& images);

// Asks to go on in a conversation that was interrupted.
std::string go_on_text();

// Whether the id can be given to a program as an argument.
bool is_conversation_id(std::string_view id);

// Asks for another answer. `errors` says what is wrong with the last one.
std::string repair_text(std::string_view errors);

// `text` with each '$' that could begin the name of a skill written as the escape \u0024. In JSON it means
// the same.
std::string without_skill_names(std::string_view text);

}  // namespace agent_driver
