// Options declared together with the members of a struct that they set. A row is any struct with an `option`
// and a `set`, so that a command can declare more about its options.
#pragma once

#include "cli/command_line.hpp"

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// `text` was accepted by the option's Value. A number of seconds is truncated, not rounded.
void convert(const std::string& text, bool& value);  // of a switch: true
void convert(const std::string& text, std::string& value);
void convert(const std::string& text, std::size_t& value);
void convert(const std::string& text, double& value);
void convert(const std::string& text, std::chrono::seconds& value);
void convert(const std::string& text, std::chrono::milliseconds& value);
void convert(const std::string& text, std::vector<std::string>& value);  // of a list: appends it

template<class T>
void convert(const std::string& text, std::optional<T>& value) {
    convert(text, value.emplace());
}

template<class Target>
using Set = std::function<void(Target&, const std::string& text)>;

template<class Target, class Member>
Set<Target> into(Member Target::*member) {
    return [member](Target& target, const std::string& text) { convert(text, target.*member); };
}

template<class Target>
struct TableRow {
    Option option;
    Set<Target> set;
};

template<class Target>
using OptionTable = std::vector<TableRow<Target>>;

template<class Row>
std::vector<Option> options_of(const std::vector<Row>& table) {
    std::vector<Option> options;
    for (const Row& row : table)
        options.push_back(row.option);
    return options;
}

// The option's values as given, or its default; for a switch, one empty text; none if the option is absent.
std::vector<std::string> texts_of(const Option& option, const Options& given);
bool is_given(const Option& option, const Options& given);  // a default does not count

// Sets what is given, or has a default.
template<class Row, class Target>
void read(const std::vector<Row>& table, const Options& given, Target& target) {
    for (const Row& row : table)
        for (const std::string& text : texts_of(row.option, given))
            if (row.set) row.set(target, text);
}

template<class Target>
Target read(const OptionTable<Target>& table, const Options& given) {
    Target target;
    read(table, given, target);
    return target;
}

}  // namespace cli
