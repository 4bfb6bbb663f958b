// Loading configs that a test has written, and the directories that links lead to.
#pragma once

#include "config/load.hpp"
#include "config/schema_document.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace config_test {

inline config::LoadResult load(std::string_view text) {
    return config::load_text(text, "w.jsonc", "/nowhere");
}

// All problems, a line each.
inline std::string problems(const config::LoadResult& result) {
    std::string out;
    for (const auto& problem : result.problems.shown)
        out += config::to_string(problem) + "\n";
    return out;
}

inline config::WorkflowConfig good(config::LoadResult result) {
    INFO(problems(result));
    REQUIRE(result.config.has_value());
    REQUIRE(result.problems.shown.empty());
    return std::move(*result.config);
}

// What `text` has wrong by the JSON Schema that is handed out for editors.
inline std::string violation_of_schema_document(std::string_view text) {
    static const std::string document = config::schema_document();
    static const auto schema = json_schema::Schema::compile(json::View::of(document));
    auto found = (*schema)->violation(json::View::of(text));
    return found ? json_schema::to_string(*found) : "";
}

// An accepted config also fits that schema.
inline config::WorkflowConfig good(const std::string& text) {
    auto config = good(load(text));
    CHECK(violation_of_schema_document(text).empty());
    return config;
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline constexpr auto command = R"("action": {"kind": "Command", "script": "true"})";

// A directory of its own that goes with it.
class TempDirectory {
  public:
    TempDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "barnum-load-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TempDirectory() { std::filesystem::remove_all(path_); }
    TempDirectory(const TempDirectory&) = delete;
    TempDirectory& operator=(const TempDirectory&) = delete;

    std::string path() const { return path_.string(); }

    std::string write(const std::string& name, std::string_view text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }

  private:
    std::filesystem::path path_;
};

}  // namespace config_test
