#include "mcp/toml_table.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <sstream>
#include <toml.hpp>

namespace mcp {

using base::concat;

namespace {

using Value = toml::value;

// What it is, without the name of the parser's function and the picture of the place.
std::string reason_of(std::string_view what) {
    std::string_view line = what.substr(0, what.find('\n'));
    std::size_t end_of_name = line.find(": ");
    if (end_of_name != std::string_view::npos) line.remove_prefix(end_of_name + 2);
    while (line.ends_with('.') || line.ends_with(' '))
        line.remove_suffix(1);
    return line.empty() ? "" : concat(" (", line, ")");
}

base::Error not_toml(std::string_view place, std::string_view reason) {
    return base::invalid(concat(place, ": this is not valid TOML", reason));
}

base::Result<Value> parsed(std::string_view text, std::string_view path) {
    // The library makes its messages of such a text from what lies behind its end.
    if (auto at = json::invalid_utf8(text))
        return not_toml(concat(path, ": line ", 1 + std::ranges::count(text.substr(0, *at), '\n')),
                        " (invalid UTF-8)");
    try {
        std::istringstream stream{std::string(text)};
        return toml::parse(stream);
    } catch (const toml::exception& error) {
        const auto& at = error.location();
        return not_toml(concat(path, ": line ", at.line(), ", column ", at.column()),
                        reason_of(error.what()));
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return not_toml(path, reason_of(error.what()));
    }
}

bool are_same(const Value& one, const Value& other);

bool are_same_tables(const toml::table& one, const toml::table& other) {
    return one.size() == other.size() && std::ranges::all_of(one, [&](const auto& member) {
               auto found = other.find(member.first);
               return found != other.end() && are_same(member.second, found->second);
           });
}

// The library's == tells "a" from 'a', and nan from itself.
bool are_same(const Value& one, const Value& other) {
    if (one.type() != other.type()) return false;
    if (one.is_table()) return are_same_tables(one.as_table(), other.as_table());
    if (one.is_array()) return std::ranges::equal(one.as_array(), other.as_array(), are_same);
    if (one.is_string()) return one.as_string().str == other.as_string().str;
    if (one.is_floating() && std::isnan(one.as_floating())) return std::isnan(other.as_floating());
    return one == other;
}

// Nothing if `of` is no table or has no such member.
const Value* member_of(const Value& of, const std::string& name) {
    if (!of.is_table()) return nullptr;
    auto found = of.as_table().find(name);
    return found == of.as_table().end() ? nullptr : &found->second;
}

// Whether `after` is `before` with this table and nothing else. Takes the table out of `after`.
bool is_addition(Value& after, const Value& before, const TomlTable& table, const Value& wanted) {
    const Value* parent = member_of(after, table.parent);
    const Value* added = parent == nullptr ? nullptr : member_of(*parent, table.name);
    if (added == nullptr || !are_same(*added, wanted)) return false;
    auto& members = after.as_table().at(table.parent).as_table();
    members.erase(table.name);
    if (members.empty() && member_of(before, table.parent) == nullptr) after.as_table().erase(table.parent);
    return are_same(after, before);
}

std::string joined(const std::vector<std::string>& pairs) {
    std::string list;
    for (const std::string& pair : pairs)
        list += concat(list.empty() ? "" : ", ", pair);
    return list;
}

base::Error cannot_append(const TomlTable& table, std::string_view path) {
    return base::invalid(concat(path, ": [", table.parent, ".", table.name,
                                "] cannot be appended to it, because of how ", table.parent,
                                " is written there; add to ", table.parent, " by hand:\n  ", table.name,
                                " = { ", joined(table.pairs), " }"));
}

}  // namespace

std::string section_of(const TomlTable& table) {
    std::string text = concat("[", table.parent, ".", table.name, "]\n");
    for (const std::string& pair : table.pairs)
        text += concat(pair, "\n");
    return text;
}

base::Result<std::optional<std::string>> with_table(const TomlTable& table, std::string_view text,
                                                    std::string_view path) {
    using Text = std::optional<std::string>;
    std::string section = section_of(table);
    auto before = parsed(text, path);
    if (before.has_error()) return before.error();
    auto alone = parsed(section, "what would be added");
    if (alone.has_error()) return alone.error();
    const Value& wanted = alone->as_table().at(table.parent).as_table().at(table.name);

    const Value* parent = member_of(*before, table.parent);
    if (parent != nullptr && !parent->is_table())
        return base::invalid(concat(path, ": ", table.parent, " must be a table"));
    const Value* present = parent == nullptr ? nullptr : member_of(*parent, table.name);
    if (present != nullptr) return are_same(*present, wanted) ? Text(text) : Text();

    std::string_view between = text.empty() ? "" : text.ends_with("\n") ? "\n" : "\n\n";
    std::string appended = concat(text, between, section);
    auto after = parsed(appended, path);
    if (after.has_error() || !is_addition(*after, *before, table, wanted)) return cannot_append(table, path);
    return Text(std::move(appended));
}

}  // namespace mcp
