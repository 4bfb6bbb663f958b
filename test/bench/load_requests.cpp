#include "load_requests.hpp"

namespace load {

std::string Requests::request(std::uint64_t number, const std::string& id) {
    auto member = id.empty() ? std::string() : "\"id\":\"" + id + "\",";
    return "{" + member + R"("kind":"Inline","content":"{\"task\":{\"kind\":\"Load\",\"value\":{\"n\":)" +
           std::to_string(number) + R"(}},\"instructions\":\"\",\"timeout_seconds\":60}"})";
}

void Requests::end(std::uint64_t number, Clock::time_point begun, std::string_view answer) {
    samples_.push_back({begun, Clock::now()});
    // The agent's response is a string inside the answer, hence the backslash.
    bool is_ours = answer.find("\"Processed\"") != std::string_view::npos &&
                   number_after(answer, "\\\"n\\\":") == std::to_string(number);
    if (!is_ours && wrong_answers_++ == 0) first_wrong_answer_ = answer;
    --in_flight_;
}

}  // namespace load
