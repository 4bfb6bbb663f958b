// Reads the parts of a config that may be in files of their own: instructions and schemas. Internal to
// config/load.
#pragma once

#include "config/problem_list.hpp"
#include "config/resolved_text.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace config {

class LinkedReader {
  public:
    // Links are relative to `directory`.
    LinkedReader(std::string directory, ProblemList& problems)
        : directory_(std::move(directory)), problems_(problems) {}

    // `value` is a string, {"inline": text} or {"link": path}.
    std::string instructions(json::View value);

    // `value` is a schema or {"link": path}. Null if there is a problem.
    std::shared_ptr<const json_schema::Schema> schema(json::View value);

    // The links that were read so far, each with the content that can replace it in the config: {"inline":
    // text} or a schema.
    const std::vector<LinkContent>& contents() const { return contents_; }

  private:
    struct Linked {
        std::string path;
        std::string text;
    };

    std::optional<Linked> follow(json::View link);
    std::string linked_instructions(json::View value, json::View link);
    std::shared_ptr<const json_schema::Schema> linked_schema(json::View value);
    std::shared_ptr<const json_schema::Schema> schema_of(const Linked& linked, json::View link);
    std::shared_ptr<const json_schema::Schema> inline_schema(json::View value);

    std::string directory_;
    ProblemList& problems_;
    std::vector<LinkContent> contents_;
};

}  // namespace config
