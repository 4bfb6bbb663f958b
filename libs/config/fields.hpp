// The fields of a config: their names, types and meaning, in one place. The parser reads by this table,
// `barnum config schema` prints it, and the tables in docs/config.md are made of it. Inner part of
// config/load and config/schema_document.
#pragma once

#include "config/problem_list.hpp"
#include "json/json.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace config {

struct ObjectType;

enum class FieldType {
    text,
    boolean,
    number,
    object,
    array,
    names,         // an array of steps' names, none of them twice
    schema,        // a JSON Schema, or a link to one
    instructions,  // a string, or an object that holds or links one
};

// The numbers that a field may have.
struct Range {
    std::string_view what;  // "a number", "a whole number", …
    double least = 0;
    double most = 0;
    bool whole = false;
    bool more_than_least = false;
};

// What the type alone does not say. The parser has checks of its own for `constant` and `pattern`.
struct Holds {
    std::span<const ObjectType* const> objects = {};  // what the object, or each element, may be
    std::optional<Range> range = std::nullopt;        // of a number
    std::string_view constant = {};                   // the only text that it may be
    std::string_view pattern = {};                    // that a text matches, as in JSON Schema
};

struct Field {
    std::string_view name;
    FieldType type;
    bool required;
    std::string_view description;  // whole sentences
    Holds holds = {};
};

// An object of the config, and what it is called in messages: "a step", which "has" fields (options "have").
struct ObjectType {
    std::string_view id;  // its name in the JSON Schema
    std::string_view name;
    std::string_view has;
    std::string_view description;
    std::span<const Field> fields;
};

extern const ObjectType config_type;
extern const ObjectType global_options_type;
extern const ObjectType step_type;
extern const ObjectType step_options_type;
extern const ObjectType retry_backoff_type;
extern const ObjectType pool_action_type;
extern const ObjectType command_type;  // an action or a hook
extern const ObjectType inline_type;
extern const ObjectType link_type;

// All of them, each behind the first one that it is part of.
std::span<const ObjectType* const> object_types();

// The fields of one object that have the right type, and if they are numbers a right value.
class FieldValues {
  public:
    // Reports what `value` has wrong as an object of that type: no object, a name that is unknown or stands
    // twice, a wrong type, a number out of range, a required field that is missing.
    static FieldValues read(json::View value, const ObjectType& type, ProblemList& problems);

    std::optional<json::View> find(std::string_view name) const;

  private:
    std::map<std::string, json::View, std::less<>> values_;
};

// "a string", "an array", …
std::string_view kind_name(json::Kind kind);

}  // namespace config
