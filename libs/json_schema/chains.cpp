#include "json_schema/chains.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace json_schema {

namespace {

// The validator recurses for each schema that applies to the same value and for each level of the value, so
// the length is limited by the stack.
constexpr std::size_t longest_chain = 16;

class ChainFollower {
  public:
    explicit ChainFollower(const std::vector<Subschema>& subschemas)
        : subschemas_(subschemas), chains_(subschemas.size()) {}

    std::vector<SchemaProblem> run() {
        for (std::size_t i = 0; i < chains_.size(); ++i)
            follow(i, 1);
        return std::move(problems_);
    }

  private:
    enum class Mark { unseen, open, done };

    // The number of schemas in the longest chain, of which a subschema is the first, that apply to the same
    // value.
    struct Chain {
        Mark mark = Mark::unseen;
        std::size_t length = 0;
    };

    // `place`: the position of the subschema in the chain that led to it.
    std::size_t follow(std::size_t index, std::size_t place) {
        Chain& chain = chains_[index];
        if (chain.mark == Mark::done || place > longest_chain + 1)
            return std::max<std::size_t>(chain.length, 1);
        chain.mark = Mark::open;
        const Subschema& schema = subschemas_[index];
        std::vector<std::size_t> next = schema.same_value;
        if (schema.target) next.push_back(*schema.target);
        for (std::size_t child : next) {
            if (chains_[child].mark == Mark::open)
                problem(schema, " applies itself to the same value; checking it would never end");
            else
                chain.length = std::max(chain.length, follow(child, place + 1));
        }
        ++chain.length;
        chain.mark = Mark::done;
        report_long(schema, chain.length);
        return chain.length;
    }

    // A long chain is reported once only: the schemas that refer to this one have longer chains.
    void report_long(const Subschema& schema, std::size_t length) {
        if (length != longest_chain + 1) return;
        problem(
            schema,
            base::concat(" applies more than ", longest_chain,
                         " schemas, nested or by $ref, to the same value; that is too deep to be checked"));
    }

    void problem(const Subschema& schema, std::string_view what) {
        problems_.push_back({schema.view, base::concat("the schema", schema.pointer.empty() ? "" : " at ",
                                                       schema.pointer, what)});
    }

    const std::vector<Subschema>& subschemas_;
    std::vector<Chain> chains_;  // by index of the subschema
    std::vector<SchemaProblem> problems_;
};

}  // namespace

std::vector<SchemaProblem> chain_problems(const std::vector<Subschema>& subschemas) {
    return ChainFollower(subschemas).run();
}

}  // namespace json_schema
