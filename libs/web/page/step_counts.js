// How many tasks of each step are in which state. Pure.

import { STATE } from './trace_store.js';

// One entry for each step of the run (as in model.js), and one for its `finally`s or gathers:
// [{ own, final }] of { tasks, waiting, pool (handed to the pool: queued there or with an agent), running, human, done, dropped, retries, attempts, time, usd, priced, tokens }.
// What is done is exact and from the trace; what runs is what the run reports, or else what is known to run.
export function stepCounts(run) {
    const reported = reportedRows(run.state);
    const live = liveRows(run.trace, run.steps.length);
    return run.steps.map((step, index) => ({
        own: counts(run, index, 0, reported.get(step.name), live[index * 2]),
        final: counts(run, index, 1, reported.get(`${step.name} (finally)`), live[index * 2 + 1]),
    }));
}

function counts(run, step, final, reported, live) {
    const sums = run.trace.group(step, final);
    const open = Math.max(0, sums.tasks - sums.done - sums.dropped);
    const asked = final === 0 && run.steps[step].action === 'Human';
    const started = reported ?? { waiting_for_human: asked ? open : live.human, at_pool: live.pool,
        running: (asked ? open : live.human) + live.pool + live.running };
    return { ...sums, ...openCounts(open, started) };
}

// How many of `open` tasks are where: { waiting, pool, running, human }. reported: { running, at_pool, waiting_for_human }, of which the
// first includes the others; it may be a moment older.
export function openCounts(open, reported) {
    const human = Math.min(open, reported?.waiting_for_human ?? 0);
    const pool = Math.min(open - human, reported?.at_pool ?? 0);
    const running = Math.min(open - human - pool, Math.max(0, (reported?.running ?? 0) - human - pool));
    return { waiting: open - human - pool - running, pool, running, human };
}

// The open tasks of steps that people do: they wait for a person, whether the run lives or not.
export function openForPeople({ steps, trace }) {
    return steps.reduce((sum, step, index) => {
        const { tasks, done, dropped } = trace.group(index, 0);
        return sum + (step.action === 'Human' ? Math.max(0, tasks - done - dropped) : 0);
    }, 0);
}

function reportedRows(state) {
    return new Map((state?.steps ?? []).map((row) => [row.row, row]));
}

function liveRows(trace, steps) {
    const found = Array.from({ length: steps * 2 }, () => ({ pool: 0, running: 0, human: 0 }));
    for (const [row, { phase }] of trace.live) {
        const counted = found[trace.step[row] * 2 + trace.final[row]];
        if (counted) ++counted[trace.stateOf(row) === STATE.human ? 'human' : phase === 'pool' ? 'pool' : 'running'];
    }
    return found;
}

// Which steps the tasks that `finally`s emit are of: the trace shows it, the config does not. Pairs [step of the finally, step].
export class EmittedSteps {
    pairs = new Map();  // a * 65536 + b -> [a, b]
    #rows = 0;          // that were looked at

    // Looks at the new rows. Whether there is a new pair.
    take(trace) {
        const before = this.pairs.size;
        for (; this.#rows < trace.rows; ++this.#rows) {
            const parent = trace.parent[this.#rows];
            if (parent >= this.#rows || trace.final[parent] === 0 || trace.final[this.#rows] === 1) continue;
            const pair = [trace.step[parent], trace.step[this.#rows]];
            this.pairs.set(pair[0] * 65536 + pair[1], pair);
        }
        return this.pairs.size > before;
    }
}
