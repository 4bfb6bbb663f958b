#include "progress/summary.hpp"

#include "base/text.hpp"
#include "progress/words.hpp"

namespace progress {

namespace {

std::string spending_text(const Spending& spending, const Model& model) {
    std::string text = "; " + spending.text;
    for (const std::string& sums :
         {by_step_text(spending, model.steps()), by_agent_text(spending), by_model_text(spending)})
        if (!sums.empty()) text += "; " + sums;
    return text;
}

}  // namespace

std::string summary_line(const Model& model, std::optional<Agents> agents,
                         const std::optional<Spending>& spending, Time now) {
    const Counts& total = model.total();
    std::string line = base::concat("after ", clock_text(model.elapsed(now)), ": ", total.done, " done, ");
    if (total.dropped > 0) line += base::concat(total.dropped, " dropped, ");
    line += base::concat(total.waiting, " waiting, ");
    if (total.at_pool > 0) line += base::concat(total.at_pool, " at the pool, ");
    if (total.asked > 0) line += base::concat(total.asked, " waiting for a human, ");
    line += base::concat(total.running - total.at_pool - total.asked, " running");
    if (model.is_paused()) line += "; paused";
    if (total.retried == 1) line += "; 1 retry";
    if (total.retried > 1) line += base::concat("; ", total.retried, " retries");
    if (auto rate = model.total_rate(now)) line += base::concat("; ", rate_text(*rate));
    if (agents) line += base::concat("; ", agents_text(*agents));
    if (agents && !agents->standstill.empty()) line += base::concat("; ", agents->standstill);
    if (spending) line += spending_text(*spending, model);
    for (const RunningTask& task : model.longest_running(1))
        line += base::concat("; longest: task ", task.id, " ", model.steps()[task.step].name, " for ",
                             clock_text(now - task.since), " (", name_of(task.phase), ")");
    return line;
}

}  // namespace progress
