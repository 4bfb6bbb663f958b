// What the check of a value by its schema costs, beside valijson alone on the same value:
//
//   schema [--rounds N]
//
// Both get JSON text and say whether it fits. Alone means: Boost.JSON parses the text, valijson's own adapter
// for it walks the tree. Ours: the text's syntax is checked, and json_schema::Schema says whether it fits. A
// line of JSON for each of a small, a usual and a large value, and for each round. Build it for Release.
#include "json_schema/schema.hpp"

#include "arguments.hpp"
#include "base/text.hpp"
#include "json/json.hpp"

#include <boost/json/parse.hpp>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;
using Adapter = valijson::adapters::BoostJsonAdapter;

constexpr std::string_view schema_text = R"({
  "type": "object",
  "required": ["file", "findings"],
  "additionalProperties": false,
  "properties": {
    "file": { "type": "string", "minLength": 1 },
    "summary": { "type": "string", "maxLength": 4000 },
    "findings": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["line", "severity", "message"],
        "properties": {
          "line": { "type": "integer", "minimum": 1 },
          "severity": { "enum": ["low", "medium", "high"] },
          "message": { "type": "string" },
          "tags": { "type": "array", "items": { "type": "string" } }
        }
      }
    }
  }
})";

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "schema: %s\n", message.c_str());
    std::exit(1);
}

std::string value_with(std::size_t findings) {
    std::string text =
        R"({"file":"src/module/file.cpp","summary":"What was found in the file.","findings":[)";
    for (std::size_t i = 0; i < findings; ++i)
        text += base::concat(i > 0 ? "," : "", R"({"line":)", i + 1,
                             R"(,"severity":"medium","message":"the function is long and does two things",)"
                             R"("tags":["length","cohesion"]})");
    return text + "]}";
}

class Alone {
  public:
    Alone() {
        boost::json::value document = boost::json::parse(schema_text);
        valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(document), schema_);
    }
    bool fits(std::string_view text) {
        boost::json::value value = boost::json::parse(text);
        return validator_.validate(schema_, Adapter(value), nullptr);
    }

  private:
    valijson::Schema schema_;
    valijson::Validator validator_;
};

class Ours {
  public:
    Ours() : schema_(compiled()) {}
    bool fits(std::string_view text) {
        auto view = json::parse(text, "the value");
        return view && !schema_->violation(*view);
    }

  private:
    static std::shared_ptr<const json_schema::Schema> compiled() {
        auto document = json::parse(schema_text, "the schema");
        auto schema = json_schema::Schema::compile(*document);
        if (!schema) fail(schema.error().message);
        return *schema;
    }
    std::shared_ptr<const json_schema::Schema> schema_;
};

template<typename Checker>
double microseconds(Checker& checker, const std::string& text, int times) {
    auto began = Clock::now();
    for (int i = 0; i < times; ++i)
        if (!checker.fits(text)) fail("the value does not fit");
    return Microseconds(Clock::now() - began).count() / times;
}

// In short turns, of which the quickest counts: the one that no neighbour on the machine has slowed down.
void compare(std::size_t findings) {
    std::string text = value_with(findings);
    Alone alone;
    Ours ours;
    const int turns = 40;
    const int times = 1 + static_cast<int>(2'000'000 / (text.size() * turns));
    double alone_time = std::numeric_limits<double>::infinity(), our_time = alone_time;
    for (int turn = 0; turn < turns; ++turn) {
        alone_time = std::min(alone_time, microseconds(alone, text, times));
        our_time = std::min(our_time, microseconds(ours, text, times));
    }
    std::printf(R"({"bytes":%zu,"ours_us":%.2f,"alone_us":%.2f,"ratio":%.3f})"
                "\n",
                text.size(), our_time, alone_time, our_time / alone_time);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t rounds = bench::rounds(argc, argv, "usage: schema [--rounds N]\n");
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t findings : {1U, 10U, 1000U})
            compare(findings);
}
