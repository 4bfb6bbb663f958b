#include "cli/option.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"
#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

bool is_whole(const Value& value, std::string_view text) {
    auto number = base::parse_number<std::int64_t>(text);
    return number && *number >= value.least && *number <= value.most;
}

bool has_fraction(const Value& value) {
    return value.kind == Value::Kind::seconds || value.kind == Value::Kind::dollars;
}

bool is_fraction(const Value& value, std::string_view text) {
    auto number = base::parse_number<double>(text);
    if (!number) return false;
    return (*number >= value.least_fraction && *number <= value.most_fraction) ||
           (value.allows_zero && *number == 0);
}

bool is_choice(const Value& value, const std::string& text) {
    return std::ranges::find(value.choices, text, &Candidate::text) != value.choices.end();
}

std::string range(const Value& value) {
    if (has_fraction(value))
        return base::concat(value.allows_zero ? "0, or from " : "from ",
                            base::plain_number(value.least_fraction), " to ",
                            base::plain_number(value.most_fraction));
    bool has_most = value.most != std::numeric_limits<std::int64_t>::max();
    if (!has_most) return base::concat("of at least ", value.least);
    return base::concat("from ", value.least, " to ", value.most);
}

std::string example(const Value& value) {
    if (!value.preset.empty() && value.preset != base::concat(value.least)) return value.preset;
    bool is_whole = value.kind == Value::Kind::whole_number;
    return !is_whole ? "1.5" : base::concat(std::min(value.least + 2, value.most));
}

std::string quoted_choices(const Value& value) {
    std::vector<std::string_view> names;
    for (const Candidate& choice : value.choices)
        names.push_back(choice.text);
    return json::alternatives(names);
}

Value made(Value::Kind kind, std::string name, std::string meaning) {
    Value value;
    value.kind = kind;
    value.name = std::move(name);
    value.meaning = std::move(meaning);
    return value;
}

Value fraction(Value::Kind kind, std::string name, double least, double most) {
    Value value = made(kind, std::move(name), "");
    value.least_fraction = least;
    value.most_fraction = most;
    return value;
}

}  // namespace

Value Value::with_default(std::string text) const {
    Value value = *this;
    value.preset = std::move(text);
    return value;
}

Value Value::completed_by(Complete function) const {
    Value value = *this;
    value.complete = std::move(function);
    return value;
}

Value Value::as_list() const {
    Value value = *this;
    value.is_list = true;
    return value;
}

Value none() {
    return {};
}

Value text(std::string name, std::string meaning) {
    return made(Value::Kind::text, std::move(name), std::move(meaning));
}

Value file(std::string name, std::string meaning) {
    return made(Value::Kind::file, std::move(name), std::move(meaning)).completed_by([](const Line&) {
        return Completion{Completion::Kind::files};
    });
}

Value directory(std::string name, std::string meaning) {
    return made(Value::Kind::directory, std::move(name), std::move(meaning)).completed_by([](const Line&) {
        return Completion{Completion::Kind::directories};
    });
}

Value script(std::string name, std::string meaning) {
    Value value = file(std::move(name), std::move(meaning));
    value.kind = Value::Kind::script;
    return value;
}

Value choice(std::string name, std::vector<Candidate> choices) {
    Value value = made(Value::Kind::choice, std::move(name), "");
    value.choices = std::move(choices);
    value.complete = [all = value.choices](const Line&) { return Completion{Completion::Kind::words, all}; };
    return value;
}

Value whole_number(std::string name, std::int64_t least, std::int64_t most) {
    Value value = made(Value::Kind::whole_number, std::move(name), "");
    value.least = least;
    value.most = most;
    return value;
}

Value seconds(std::string name, Zero zero) {
    Value value = fraction(Value::Kind::seconds, std::move(name), base::least_seconds, base::most_seconds);
    value.allows_zero = zero == Zero::allowed;
    return value;
}

Value dollars(std::string name) {
    return fraction(Value::Kind::dollars, std::move(name), base::least_dollars, base::most_dollars);
}

bool accepts(const Value& value, const std::string& text) {
    using Kind = Value::Kind;
    if (value.kind == Kind::choice) return is_choice(value, text);
    if (value.kind == Kind::whole_number) return is_whole(value, text);
    if (has_fraction(value)) return is_fraction(value, text);
    return true;
}

std::string expected(const Value& value) {
    using Kind = Value::Kind;
    if (value.kind == Kind::choice) return quoted_choices(value);
    if (value.kind != Kind::whole_number && !has_fraction(value)) return value.meaning;
    std::string_view what = value.kind == Kind::seconds        ? "a number of seconds "
                            : value.kind == Kind::whole_number ? "a whole number "
                                                               : "a number of dollars ";
    return base::concat(what, range(value), " (for example ", example(value), ")");
}

std::string description(const Option& option) {
    std::string text = option.summary;
    const auto& choices = option.value.choices;
    for (const Candidate& choice : choices) {
        text += &choice == &choices.front() ? ": " : &choice == &choices.back() ? " or " : ", ";
        text += choice.text;
        if (!choice.description.empty()) text += base::concat(" (", choice.description, ")");
    }
    return text;
}

std::string argument_of(const Option& option, const std::string& text) {
    return "--" + option.name + (option.value.kind == Value::Kind::none ? "" : "=" + text);
}

const Option* find_option(const std::vector<Option>& options, std::string_view name) {
    auto found = std::ranges::find(options, name, &Option::name);
    return found == options.end() ? nullptr : &*found;
}

const Option* find_typed(const std::vector<Option>& options, const std::string& argument) {
    if (argument.starts_with("--"))
        return find_option(options, std::string_view(argument).substr(2, argument.find('=') - 2));
    if (argument.size() < 2 || !argument.starts_with('-')) return nullptr;
    auto found = std::ranges::find(options, argument[1], &Option::letter);
    return found == options.end() ? nullptr : &*found;
}

}  // namespace cli
