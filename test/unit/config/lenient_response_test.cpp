#include "config/lenient_response.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

const std::string array = R"([{"kind": "Next", "value": {"text": "a ] and a [ in it"}}])";

config::FoundResponse found(std::string_view output, bool is_lenient = true) {
    config::Step step;
    step.options.lenient_response = is_lenient;
    return config::find_response(step, output);
}

}  // namespace

TEST_CASE("the last array of tasks is taken out of the words or the fence around it") {
    for (const std::string& output : {"Here it is:\n" + array, "```json\n" + array + "\n```\n",
                                      "For example [] or [{\"kind\": 1}], but:\n" + array + "\nThat's [all].",
                                      "{\"tasks\": " + array + "}", array + "\n" + array}) {
        INFO(output);
        auto response = found(output);
        CHECK(response.text == array);
        CHECK(response.is_taken_out);
        CHECK(response.text.data() >= output.data());
        CHECK(response.text.data() < output.data() + output.size());
        auto strict = found(output, false);
        CHECK(strict.text == output);
        CHECK_FALSE(strict.is_taken_out);
    }
    CHECK(found("Nothing follows: []").text == "[]");
}

TEST_CASE("what needs no taking out, or has nothing to take, stays whole") {
    for (const std::string& output :
         {array, " " + array + "\n", std::string(), std::string("There are no tasks."), std::string("17"),
          std::string("\"see []\""), std::string("{\"kind\": \"Next\", \"value\": []}"),
          "It was cut off: " + array.substr(0, 30), "First " + array + ", and then [{\"kind\": \"Ne"}) {
        INFO(output);
        auto response = found(output);
        CHECK(response.text == output);
        CHECK_FALSE(response.is_taken_out);
    }
}
