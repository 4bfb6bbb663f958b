// The figures of a whole run, from its record, its trace and the state that it reports. Pure.

import { openCounts, openForPeople } from './step_counts.js';

export const isLive = (record) => record?.state === 'running' || record?.state === 'paused';

// `run` as in model.js; `now` in ms since 1970. { live, tasks, done, dropped, retries, pool, running, human, waiting (see
// step_counts.js), elapsed (ms), rate (per second) or NaN, eta (ms) or NaN, usd or NaN, atLeast (some reports have no price), tokens }
export function summarize(run, now) {
    const live = isLive(run.record);
    const sums = run.trace.total();
    const reported = live ? run.state : null;
    const open = sums.tasks - sums.done - sums.dropped;
    const counts = openCounts(open, reported?.tasks ?? { waiting_for_human: openForPeople(run) });
    const forPeople = counts.human === open;
    return {
        live, tasks: sums.tasks, done: sums.done, dropped: sums.dropped, retries: sums.retries, ...counts,
        elapsed: (run.record?.ended ?? (live ? now : lastEnd(run.trace))) - run.record?.started,
        rate: forPeople ? NaN : reported?.rate ?? NaN,
        eta: reported && !forPeople ? etaOf(reported) : NaN,
        ...spent(sums, reported),
    };
}

// Of a run that was killed, the end of its last attempt is all that is known.
function lastEnd(trace) {
    return trace.completions ? trace.ended[trace.order[trace.completions - 1]] : NaN;
}

function spent(sums, reported) {
    const usd = reported?.usage ? reported.usage.usd ?? NaN : sums.priced ? sums.usd : NaN;
    return { usd, atLeast: sums.priced < sums.reports, tokens: sums.tokens };
}

// The latest of the steps' ends; none while one of them is not known, since its tasks may lead to more.
function etaOf(state) {
    if (state.paused) return NaN;
    const open = (state.steps ?? []).filter((step) => step.waiting + step.running > 0);
    const ends = open.map((step) => step.eta_seconds ?? NaN);
    return ends.length ? Math.max(...ends) * 1000 : NaN;
}
