#include "output_option.hpp"

#include "base/own_environment.hpp"
#include "cli/number.hpp"

#include <cstdint>

namespace barnum {

namespace {

constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;

// The unit at the end of the text, which is taken off.
std::uint64_t take_unit(std::string_view& text) {
    constexpr std::string_view units = "KMG";
    std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    if (unit == std::string_view::npos) return 1;
    text.remove_suffix(1);
    return std::uint64_t{1} << (10 * (unit + 1));
}

}  // namespace

std::optional<KeepOutput> parse_keep_output(std::string_view text) {
    if (text == "all") return KeepOutput{};
    if (text == "none") return KeepOutput{false, std::nullopt};
    std::uint64_t unit = take_unit(text);
    auto number = cli::parse_number<std::uint64_t>(text);
    if (!number || *number == 0 || *number > largest_size / unit) return std::nullopt;
    return KeepOutput{true, static_cast<std::size_t>(*number * unit)};
}

std::shared_ptr<const output::Redaction> redaction_for(bool redacts, const config::WorkflowConfig& config) {
    if (!redacts) return std::make_shared<const output::Redaction>(std::vector<std::string>());
    output::Variables variables = base::own_environment();
    for (const config::Step& step : config.steps)
        variables.insert(variables.end(), step.env.begin(), step.env.end());
    return std::make_shared<const output::Redaction>(output::secrets_of(variables));
}

}  // namespace barnum
