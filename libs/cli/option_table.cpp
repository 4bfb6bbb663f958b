#include "cli/option_table.hpp"

#include "base/number.hpp"

namespace cli {

void convert(const std::string& /*text*/, bool& value) {
    value = true;
}

void convert(const std::string& text, std::string& value) {
    value = text;
}

void convert(const std::string& text, std::size_t& value) {
    value = *base::parse_number<std::size_t>(text);
}

void convert(const std::string& text, double& value) {
    value = *base::parse_number<double>(text);
}

void convert(const std::string& text, std::chrono::seconds& value) {
    value = std::chrono::seconds(*base::parse_number<std::int64_t>(text));
}

void convert(const std::string& text, std::chrono::milliseconds& value) {
    value = std::chrono::milliseconds(static_cast<std::int64_t>(*base::parse_number<double>(text) * 1000));
}

void convert(const std::string& text, std::vector<std::string>& value) {
    value.push_back(text);
}

std::vector<std::string> texts_of(const Option& option, const Options& given) {
    if (given.count(option.name) == 0) return {};
    const auto& value = given[option.name].value();
    if (option.value.kind == Value::Kind::none) return {""};
    if (option.value.is_list) return boost::any_cast<const std::vector<std::string>&>(value);
    return {boost::any_cast<const std::string&>(value)};
}

bool is_given(const Option& option, const Options& given) {
    return given.count(option.name) > 0 && !given[option.name].defaulted();
}

}  // namespace cli
