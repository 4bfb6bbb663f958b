// The table of all fields of a config: names, types and descriptions. The parser uses it, `barnum config
// schema` prints it, and the tables in docs/config.md are generated from it. Internal to config/load and
// config/schema_document.
#pragma once

#include "base/limits.hpp"
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
    names,                // an array of names of steps, without duplicates
    labels,               // an array of labels (base/labels.hpp), without duplicates
    texts,                // an array of strings
    variables,            // an object whose members are strings
    variables_and_names,  // the same, or null
    schema,               // a JSON Schema, or a link to one
    instructions,         // a string, or an object with a text or a link
};

// The allowed range of a number, with both limits.
struct Range {
    std::string_view what;  // "a number", "a whole number", …
    double least = 0;
    double most = 0;
    bool whole = false;
};

inline constexpr Range seconds_range = {
    .what = "a number of seconds", .least = base::least_seconds, .most = base::most_seconds};
inline constexpr Range from_one = {
    .what = "a whole number", .least = 1, .most = base::most_counted, .whole = true};

// Constraints on a value in addition to its type. `constant` and `pattern` are checked by separate code of
// the parser, and so are the elements of arrays.
struct Constraints {
    std::span<const ObjectType* const> objects =
        {};  // the allowed types of the object, or of each element of the array
    std::optional<Range> range = std::nullopt;       // for a number
    std::string_view constant = {};                  // the only allowed text
    std::span<const std::string_view> choices = {};  // the allowed texts
    std::string_view pattern = {};  // a regular expression that a text must match, as in JSON Schema
};

struct Field {
    std::string_view name;
    FieldType type;
    bool required;
    std::string_view description;  // whole sentences
    Constraints constraints = {};
};

// A label matches this, as in JSON Schema.
inline constexpr std::string_view label_pattern = "^[A-Za-z0-9._/:-]{1,64}$";

// A JSON pointer matches this.
inline constexpr std::string_view pointer_pattern = "^(/([^~/]|~[01])*)*$";

// A type of object in the config. Messages combine `name` and `has`: "a step has: …", "the options have: …".
struct ObjectType {
    std::string_view id;  // its name in the JSON Schema
    std::string_view name;
    std::string_view has;
    std::string_view description;
    std::span<const Field> fields;
};

extern const ObjectType config_type;
extern const ObjectType global_options_type;
extern const ObjectType budget_type;
extern const ObjectType agent_type;  // its fields are the settings of agent_driver/setting_table.hpp
extern const ObjectType prices_type;
extern const ObjectType step_type;
extern const ObjectType step_options_type;
extern const ObjectType retry_backoff_type;
extern const ObjectType pool_action_type;
extern const ObjectType human_action_type;
extern const ObjectType gather_type;
extern const ObjectType command_type;  // a hook
extern const ObjectType command_action_type;
extern const ObjectType inline_type;
extern const ObjectType link_type;

// All types. Each comes after the first type that contains it.
std::span<const ObjectType* const> object_types();

// The fields of one object that have the right type, and an allowed value if they are numbers or choices.
class FieldValues {
  public:
    // Reports all problems of `value` as an object of that type: not an object, an unknown or duplicate name,
    // a wrong type, a number out of range, a text that is not one of the choices, a missing required field.
    static FieldValues read(json::View value, const ObjectType& type, ProblemList& problems);

    std::optional<json::View> find(std::string_view name) const;

  private:
    std::map<std::string, json::View, std::less<>> values_;
};

// "a string", "an array", …
std::string_view kind_name(json::Kind kind);

}  // namespace config
