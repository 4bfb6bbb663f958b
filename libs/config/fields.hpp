// The fields of a config (R20): their names, types and meaning, in one place. Inner part of config/load.
#pragma once

#include "base/json.hpp"
#include "config/problem_list.hpp"

#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace config {

enum class FieldType { text, boolean, number, object, array, any };

struct Field {
    std::string_view name;
    FieldType type;
    bool required;
    std::string_view description;
};

// An object of the config, and what it is called in messages: "a step", which "has" fields (options "have").
struct ObjectType {
    std::string_view name;
    std::string_view has;
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

// The fields of one object that have the right type.
class FieldValues {
  public:
    // Reports what `value` has wrong as an object of that type: no object, a name that is unknown or stands
    // twice, a wrong type, a required field that is missing.
    static FieldValues read(json::View value, const ObjectType& type, ProblemList& problems);

    std::optional<json::View> find(std::string_view name) const;

  private:
    std::map<std::string, json::View, std::less<>> values_;
};

// "a string", "an array", …
std::string_view kind_name(json::Kind kind);

}  // namespace config
