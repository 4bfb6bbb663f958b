// The two things in a config that may stand in a file of their own: instructions and schemas. Inner part of
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

    // A string, {"inline": text} or {"link": path}.
    std::string instructions(json::View value);

    // A schema or {"link": path}. Null if there is a problem.
    std::shared_ptr<const json_schema::Schema> schema(json::View value);

    // The links followed so far, with what was found there as it may stand in their place: {"inline": text}
    // or a schema.
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
