#include "agent_driver/claude_usage.hpp"

#include "agent_driver/fields.hpp"

#include <algorithm>
#include <vector>

namespace agent_driver {

namespace {

using json::View;

Usage totals_in(View result) {
    Usage total;
    auto models = result.find("modelUsage");
    const bool known = models && models->is(json::Kind::object);
    for (const json::Member& model : known ? models->members() : std::vector<json::Member>()) {
        const std::uint64_t cached = count_at(model.value, {"cacheReadInputTokens"});
        total.input += count_at(model.value, {"inputTokens"}) + cached +
                       count_at(model.value, {"cacheCreationInputTokens"});
        total.cached += cached;
        total.output += count_at(model.value, {"outputTokens"});
    }
    total.usd = number_at(result, {"total_cost_usd"});
    return total;
}

template<class Number>
Number rest(Number all, Number part) {
    return all > part ? all - part : Number();
}

Usage without(Usage total, const Usage& before) {
    total.input = rest(total.input, before.input);
    total.cached = rest(total.cached, before.cached);
    total.output = rest(total.output, before.output);
    if (total.usd) total.usd = rest(*total.usd, before.usd.value_or(0));
    return total;
}

}  // namespace

void ClaudeUsage::count(View message, int number) {
    auto count = [&](std::string_view name) { return count_at(message, {"message", "usage", name}); };
    const std::uint64_t cached = count("cache_read_input_tokens");
    const std::uint64_t input = count("input_tokens") + count("cache_creation_input_tokens") + cached;
    read_ += input;
    usage_.input += input;
    usage_.cached += cached;
    usage_.output += count("output_tokens");
    usage_.turns = number;
}

// The figures of the single messages leave out what the program asks besides, and most of the output; those
// of the result may leave out the last request. Newer versions of the program go on with the totals of the
// conversation, older ones begin at 0.
void ClaudeUsage::count_result(View result) {
    Usage total = totals_in(result);
    if (total.input >= before_.input + read_) total = without(total, before_);
    usage_.input = std::max(usage_.input, total.input);
    usage_.cached = std::max(usage_.cached, total.cached);
    usage_.output = std::max(usage_.output, total.output);
    usage_.usd = total.usd;
}

}  // namespace agent_driver
