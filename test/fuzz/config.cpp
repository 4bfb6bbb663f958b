// A workflow's config: it is accepted, and then its resolved text means the same without any file; or
// all that is wrong with it is told, each with a place in the text, in its order.
#include "config/description.hpp"
#include "config/graph.hpp"
#include "config/load.hpp"
#include "config/schema_document.hpp"
#include "config/warnings.hpp"
#include "fuzz.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "private_links.hpp"

#include <algorithm>

namespace {

using fuzz::must;

constexpr const char* name = "w.jsonc";

std::string schema_text(const config::Step& step) {
    return step.value_schema ? step.value_schema->text() : "";
}

std::string script_of(const std::optional<config::Command>& hook) {
    return hook ? hook->script : "";
}

std::string pointer_of(const config::StepOptions& options) {
    return options.serial_key ? options.serial_key->pointer : "none";
}

bool same(const config::Step& a, const config::Step& b) {
    return a.name == b.name && schema_text(a) == schema_text(b) && script_of(a.pre) == script_of(b.pre) &&
           script_of(a.post) == script_of(b.post) && script_of(a.finally) == script_of(b.finally) &&
           a.is_pool() == b.is_pool() && a.next == b.next && a.pool_instructions == b.pool_instructions &&
           a.options.timeout == b.options.timeout && a.options.timeout_text == b.options.timeout_text &&
           a.options.max_retries == b.options.max_retries && a.options.priority == b.options.priority &&
           a.options.max_concurrency == b.options.max_concurrency &&
           pointer_of(a.options) == pointer_of(b.options) && a.env == b.env;
}

void check_config(const config::WorkflowConfig& loaded) {
    must(!loaded.steps.empty() && loaded.by_name.size() == loaded.steps.size(), "each step has its name");
    must(json::compact(json::View::of(loaded.resolved)) == loaded.resolved, "the resolved text is compact");
    auto again = config::load_text(loaded.resolved, name, fuzz::no_directory);
    must(again.config.has_value(), "the resolved text is accepted");
    must(again.config->resolved == loaded.resolved, "the resolved text stays as it is");
    must(again.config->entrypoint == loaded.entrypoint, "the entrypoint is the same");
    must(again.config->max_concurrency == loaded.max_concurrency, "the limit is the same");
    must(std::ranges::equal(loaded.steps, again.config->steps, same), "the steps are the same");
}

void check_problems(std::string_view text, const std::vector<config::Problem>& problems) {
    must(!problems.empty(), "what is refused is refused for a reason");
    auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    for (const auto& problem : problems) {
        must(problem.file == name, "a problem is in the config");
        must(problem.line >= 1 && problem.line <= lines && problem.column >= 1, "a problem has a place");
        must(!problem.message.empty() && !json::invalid_utf8(problem.message), "a problem can be read");
        must(!json::invalid_utf8(problem.excerpt), "a problem's line can be read");
    }
    auto place = [](const config::Problem& problem) { return std::pair(problem.line, problem.column); };
    must(std::ranges::is_sorted(problems, {}, place), "problems come in the order of the text");
}

// What `barnum config` tells of it.
void check_views(const config::WorkflowConfig& loaded, std::string_view text) {
    static const std::string document = config::schema_document();
    static const auto schema = json_schema::Schema::compile(json::View::of(document));
    must(!(*schema)->violation(json::View::of(text)), "it fits the schema of configs");
    for (const auto& warning : config::warnings(loaded, text, name).shown)
        must(!json::invalid_utf8(config::with_excerpt(warning)), "a warning can be read");
    for (const std::string& view :
         {config::dot_graph(loaded), config::mermaid_graph(loaded), config::describe(loaded, name)})
        must(!json::invalid_utf8(view), "the graphs and the document are UTF-8");
}

}  // namespace

void fuzz::target(std::string_view input) {
    if (links_may_leave(input)) return;
    auto loaded = config::load_text(input, name, no_directory);
    if (!loaded.config) return check_problems(input, loaded.problems.shown);
    must(loaded.problems.shown.empty(), "what is accepted has no problems");
    check_config(*loaded.config);
    check_views(*loaded.config, input);
}
