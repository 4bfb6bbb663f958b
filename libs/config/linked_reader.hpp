// The two things in a config that may stand in a file of their own: instructions and schemas. Inner part of
// config/load.
#pragma once

#include "base/json.hpp"
#include "config/problem_list.hpp"
#include "config/schema.hpp"

#include <memory>
#include <optional>
#include <string>

namespace config {

// The text of a file, or why it cannot be read (without the path).
base::Result<std::string> read_file(const std::string& path);

class LinkedReader {
  public:
    // Links are relative to `directory`.
    LinkedReader(std::string directory, ProblemList& problems)
        : directory_(std::move(directory)), problems_(problems) {}

    // A string, {"inline": text} or {"link": path}.
    std::string instructions(json::View value);

    // A schema or {"link": path}. Null if there is a problem.
    std::shared_ptr<const Schema> schema(json::View value);

  private:
    struct Linked {
        std::string path;
        std::string text;
    };

    std::optional<Linked> follow(json::View link);
    std::shared_ptr<const Schema> linked_schema(json::View link);
    std::shared_ptr<const Schema> inline_schema(json::View value);

    std::string directory_;
    ProblemList& problems_;
};

}  // namespace config
