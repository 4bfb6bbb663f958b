#include "json_schema/sample.hpp"

#include "base/text.hpp"
#include "json_schema/sample_facts.hpp"
#include "json_schema/sample_places.hpp"
#include "json_schema/sample_scalar.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace json_schema {

namespace {

using json::View;

// Limits on the nesting of a sample. The lowest that works is used, so that recursive schemas end.
constexpr std::size_t depths[] = {3, 6, 12, 32};
constexpr std::size_t most_tries = 50'000;  // for the whole value
constexpr std::size_t longest_list = 10'000;

struct Sampled {
    std::string text;
    std::size_t variation;  // the variation that was used; the next one usually gives another value
};

class Sampler {
  public:
    // `schema` must outlive the sampler.
    explicit Sampler(const Schema& schema) : schema_(schema), outline_(outline(View::of(schema.text()))) {}

    base::Result<std::string> run(std::size_t variation) {
        for (std::size_t depth : depths) {
            failed_.clear();
            too_deep_ = false;
            auto found = sample({outline_.subschemas.front().view}, variation, depth);
            if (found) return std::move(found->text);
            if (!too_deep_ || tries_left_ == 0) break;
        }
        return base::invalid(base::concat("no value was found that satisfies ", place_, ": ", reason_));
    }

  private:
    // Combinations that have failed; they are not tried again with the same remaining depth.
    using FailedAttempts = std::set<std::pair<std::vector<const char*>, std::size_t>>;

    std::optional<Sampled> sample(const SchemaList& schemas, std::size_t variation, std::size_t depth) {
        if (depth == 0) {
            too_deep_ = true;
            return fail(schemas, "it requires endlessly nested values");
        }
        std::pair<std::vector<const char*>, std::size_t> key{{}, depth};
        for (View schema : schemas)
            key.first.push_back(schema.text().data());
        if (failed_.contains(key)) return std::nullopt;
        for (std::size_t i = 0; i < Choices::tries; ++i) {
            if (tries_left_ == 0) return fail(schemas, "the search takes too long");
            --tries_left_;
            auto text = make(schemas, variation + i, depth);
            if (text && fits(schemas, *text)) return Sampled{std::move(*text), variation + i};
        }
        failed_.insert(std::move(key));
        return std::nullopt;
    }

    // Overwrites the reason, so that the error reports the last attempt, at the place where it failed.
    std::nullopt_t fail(const SchemaList& schemas, std::string reason) {
        std::string pointer = schemas.empty() ? "a value of any kind" : outline_.at(schemas.front()).pointer;
        place_ = pointer.empty() ? "the schema" : base::concat("the schema at ", pointer);
        reason_ = std::move(reason);
        return std::nullopt;
    }

    bool fits(const SchemaList& schemas, const std::string& text) {
        for (View schema : schemas) {
            const Schema* validator = part(schema);
            auto violation = validator ? validator->violation(View::of(text)) : std::nullopt;
            if (!violation) continue;
            constexpr std::size_t shown = 80;
            bool is_long = text.size() > shown;
            fail({schema}, base::concat(is_long ? "the last one tried" : text, ": ", violation->message));
            return false;
        }
        return true;
    }

    const Schema* part(View schema) {
        if (schema.text().data() == outline_.subschemas.front().view.text().data()) return &schema_;
        auto [place, is_new] = parts_.try_emplace(schema.text().data());
        if (is_new) place->second = compiled_part(schema);
        return place->second.get();
    }

    // Null if the part cannot be compiled on its own; then only the whole value is validated.
    std::shared_ptr<const Schema> compiled_part(View schema) const {
        auto compiled = Schema::compile_part(outline_, schema);
        return compiled ? *compiled : nullptr;
    }

    std::optional<std::string> make(const SchemaList& schemas, std::size_t variation, std::size_t depth) {
        Choices choices(variation);
        Facts facts;
        for (View schema : schemas)
            facts.collect(outline_, schema, choices);
        if (facts.impossible) return fail(schemas, "no value is allowed there");
        if (facts.values) return given(*facts.values, choices.rest());
        if (variation < facts.examples.size()) return given(facts.examples, variation);
        auto types = facts.types();
        if (types.empty()) return fail(schemas, "its keywords allow no common type");
        return of_type(types[choices.pick(types.size())], schemas, facts, choices, depth);
    }

    static std::string given(const std::vector<View>& values, std::size_t variation) {
        return std::string(values[variation % values.size()].text());
    }

    std::optional<std::string> of_type(ValueType type, const SchemaList& schemas, Facts& facts,
                                       Choices& choices, std::size_t depth) {
        switch (type) {
            case ValueType::null:
                return "null";
            case ValueType::boolean:
                return choices.rest() % 2 == 0 ? "true" : "false";
            case ValueType::integer:
            case ValueType::number:
                return sample_number(facts.of_number, type == ValueType::integer, choices.rest());
            case ValueType::array:
                return array(schemas, facts, choices.rest(), depth);
            case ValueType::object:
                return object(schemas, facts, choices, depth);
            case ValueType::string:
                break;
        }
        auto text = sample_string(facts.of_string, choices.rest());
        if (!text)
            return fail(schemas,
                        "no text could be generated for its pattern, which is too complex or requires too "
                        "long a text");
        return json::quote(*text);
    }

    std::optional<std::string> array(const SchemaList& schemas, const Facts& facts, std::size_t variation,
                                     std::size_t depth) {
        const ArrayFacts& asked = facts.of_array;
        if (asked.least > longest_list) return fail(schemas, "it requires too many items");
        std::size_t least = std::max(asked.least, asked.contains.size());
        std::size_t size = std::max(least, std::min(asked.most, least + variation % 3));
        std::set<std::string> seen;
        std::string text = "[";
        for (std::size_t i = 0; i < size; ++i) {
            auto item =
                next_item(item_schemas(facts, i, size), variation, depth - 1, asked.unique ? &seen : nullptr);
            if (!item) return std::nullopt;
            text += base::concat(i > 0 ? "," : "", *item);
        }
        return text + "]";
    }

    std::optional<std::string> next_item(const SchemaList& schemas, std::size_t variation, std::size_t depth,
                                         std::set<std::string>* seen) {
        for (std::size_t i = 0; i < Choices::tries; ++i) {
            auto item = sample(schemas, variation, depth);
            if (!item || !seen || seen->insert(item->text).second)
                return item ? std::optional(std::move(item->text)) : std::nullopt;
            variation = item->variation + 1;
        }
        return fail(schemas, "it allows too few different values for unique items");
    }

    std::optional<std::string> object(const SchemaList& schemas, Facts& facts, Choices& choices,
                                      std::size_t depth) {
        if (facts.of_object.least > longest_list) return fail(schemas, "it requires too many members");
        auto declared = declared_names(facts);
        std::vector<std::string> names;
        if (!declared.empty() && choices.pick(2) == 1) names = declared;
        add_required(names, facts, choices);
        if (!add_optional(names, declared, facts, depth)) return std::nullopt;
        std::size_t variation = choices.rest();
        std::string text = "{";
        for (const std::string& name : names) {
            auto member = sample(member_schemas(facts, name), variation, depth - 1);
            if (!member) return std::nullopt;
            text += base::concat(text.size() > 1 ? "," : "", json::quote(name), ":", member->text);
        }
        return text + "}";
    }

    // Each member may require further ones, or have a schema of its own.
    void add_required(std::vector<std::string>& names, Facts& facts, Choices& choices) {
        std::set<const char*> handled;
        for (std::size_t before = SIZE_MAX; before != handled.size() + names.size();) {
            before = handled.size() + names.size();
            for (const std::string& name : facts.of_object.required)
                add_name(names, name);
            auto dependencies = facts.of_object.dependencies;
            for (View keyword : dependencies)
                for (const json::Member& member : keyword.members())
                    if (std::ranges::find(names, member.key.string()) != names.end() &&
                        handled.insert(member.value.text().data()).second)
                        add_dependency(member.value, facts, choices);
        }
    }

    void add_dependency(View dependency, Facts& facts, Choices& choices) {
        if (!dependency.is(json::Kind::array)) return facts.collect(outline_, dependency, choices);
        for (View name : dependency.elements())
            facts.of_object.required.push_back(name.string());
    }

    // Adds members until the minimum is reached: first the declared ones, then others that are allowed.
    bool add_optional(std::vector<std::string>& names, const std::vector<std::string>& declared,
                      const Facts& facts, std::size_t depth) {
        for (const std::string& name : declared)
            if (names.size() < facts.of_object.least) add_name(names, name);
        std::size_t made_up = 0;
        while (names.size() < facts.of_object.least) {
            if (made_up == longest_list) return false;
            auto name = another_name(facts, made_up++, depth);
            if (!name) return false;
            add_name(names, std::move(*name));
        }
        return true;
    }

    std::optional<std::string> another_name(const Facts& facts, std::size_t variation, std::size_t depth) {
        if (!facts.of_object.names.empty()) return sample_name(facts.of_object.names, variation, depth);
        for (View schema : facts.structures)
            if (auto patterns = schema.find("patternProperties"))
                if (auto members = patterns->members(); !members.empty())
                    return sample_match(members.front().key.string(), variation, variation % 4);
        return base::concat("member", variation + 1);
    }

    // The schema of names may allow values that are not strings.
    std::optional<std::string> sample_name(const SchemaList& schemas, std::size_t variation,
                                           std::size_t depth) {
        for (std::size_t i = 0; i < Choices::tries; ++i) {
            auto name = sample(schemas, variation, depth - 1);
            if (!name) return std::nullopt;
            if (name->text.starts_with('"')) return View::of(name->text).string();
            variation = name->variation + 1;
        }
        return fail(schemas, "it allows no string");
    }

    const Schema& schema_;
    SchemaOutline outline_;
    std::map<const char*, std::shared_ptr<const Schema>> parts_;
    FailedAttempts failed_;
    std::size_t tries_left_ = most_tries;
    bool too_deep_ = false;
    std::string place_;
    std::string reason_;
};

}  // namespace

base::Result<std::string> sample_value(const Schema& schema, std::size_t variation) {
    return Sampler(schema).run(variation);
}

}  // namespace json_schema
