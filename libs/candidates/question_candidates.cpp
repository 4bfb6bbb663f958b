#include "candidates/question_candidates.hpp"

#include "people/human_questions.hpp"
#include "runs/run_lookup.hpp"

#include <algorithm>
#include <string>

namespace candidates {

namespace {

people::RunQuestions questions_on(const cli::Line& line) {
    auto named = runs::find_named_run(line.value("run"));
    if (!named || !named->found) return {};
    auto questions = people::read_questions(*named->found);
    return questions ? std::move(*questions) : people::RunQuestions{};
}

void add_once(std::vector<cli::Candidate>& candidates, const std::string& name) {
    if (std::ranges::find(candidates, name, &cli::Candidate::text) == candidates.end())
        candidates.push_back({name});
}

}  // namespace

cli::Completion open_questions(const cli::Line& line) {
    cli::Completion found;
    people::RunQuestions questions = questions_on(line);
    for (const people::HumanQuestion& question : questions.open)
        found.candidates.push_back(
            {std::to_string(question.task.value), questions.config->step(question.step).name});
    return found;
}

cli::Completion next_steps(const cli::Line& line) {
    cli::Completion found;
    people::RunQuestions questions = questions_on(line);
    std::string task = line.value("task");
    for (const people::HumanQuestion& question : questions.open) {
        if (!task.empty() && task != std::to_string(question.task.value)) continue;
        for (config::StepId next : questions.config->step(question.step).next)
            add_once(found.candidates, questions.config->step(next).name);
    }
    return found;
}

}  // namespace candidates
