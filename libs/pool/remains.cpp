#include "pool/remains.hpp"

namespace pool {

namespace {

Remains judge_leased(const Traces& traces) {
    // A task file that is neither here nor there was taken away by its agent. One that is still in scratch/
    // was seen by nobody, and a response is not to it.
    bool unseen = traces.task == Traces::Task::none && traces.unsent;
    if (traces.response && !unseen) return Remains::at_work;
    if (!traces.ready || traces.handed_back) return Remains::over;
    return unseen ? Remains::unassigned : Remains::at_work;
}

}  // namespace

Remains judge(const Traces& traces) {
    if (traces.lease) return judge_leased(traces);
    if (traces.task == Traces::Task::none) return Remains::none;
    if (!traces.ready || traces.handed_back) return Remains::over;
    return traces.task == Traces::Task::kicked ? Remains::kicked : Remains::at_work;
}

}  // namespace pool
