// The lanes of a timeline: all attempts of a trace by step or by agent, those of a lane that overlap side by side. It takes
// what is new while the run goes on. Pure.
//
// A lane: { key, step, final, agent (what it is of: indices, or -1; `agent` may also be 'commands', 'people' or 'none'),
//   attempts, failed, dropped, busy (ms, of all attempts), sublanes: [Sublane], or null if there are more than MOST,
//   live: [{ row, since, phase, sublane }], dense: null or { starts, ends, failures }: SortedTimes for a lane of many sublanes }

import { NO_AGENT, OUTCOME } from './trace_store.js';
import { SortedTimes } from './sorted_times.js';
import { FAILED, Sublane } from './timeline_sublane.js';

export const MOST = 256;  // sublanes
export const FEW = 12;    // sublanes; a lane with more of them is dense

export class Lanes {
    taken = 0;  // completions of the trace
    from = Infinity;
    to = -Infinity;  // when the first of them was submitted and the last one ended
    #lanes = new Map();
    #order = null;

    // steps: those of the run, for what is done by people and by commands. by: 'step' or 'agent'.
    constructor(trace, steps, by) {
        Object.assign(this, { trace, steps, by });
        if (by === 'step') steps.forEach((_, step) => this.#lane(step * 2));
    }

    // The lanes in the order of the steps, or of the agents' first results.
    list() {
        this.#order ??= [...this.#lanes.values()].sort((a, b) => a.key - b.key);
        return this.#order;
    }

    // Takes the attempts that have ended since, or so many of them. Whether there are more.
    take(most = Infinity) {
        const { trace } = this;
        const first = this.taken;
        const after = Math.min(trace.completions, first + most);
        for (; this.taken < after; ++this.taken) this.#ended(trace.order[this.taken]);
        for (const lane of this.#lanes.values()) this.#condense(lane, first);
        return this.taken < trace.completions;
    }

    #ended(row) {
        const { trace } = this;
        const lane = this.#lane(this.keyOf(row));
        const failed = failedOf(trace, row);
        ++lane.attempts;
        if (failed !== FAILED.none) ++lane.failed;
        if (failed === FAILED.dropped) ++lane.dropped;
        const start = trace.started[row] >= 0 ? trace.started[row] : trace.ended[row];
        lane.busy += Math.max(0, trace.ended[row] - start);
        if (trace.submitted[row] < this.from) this.from = trace.submitted[row];
        if (trace.ended[row] > this.to) this.to = trace.ended[row];
        if (lane.sublanes !== null) this.#place(lane, row, start, failed);
    }

    #place(lane, row, start, failed) {
        const held = lane.holds.get(row);
        lane.holds.delete(row);
        if (held !== undefined) lane.held[held] = Infinity;
        const ended = Math.max(start, this.trace.ended[row]);
        const at = held !== undefined && lane.ends[held] <= start ? held : fit(lane, start, ended);
        if (at === MOST) return overflow(lane);
        if (at === lane.sublanes.length) lane.sublanes.push(new Sublane(this.trace));
        lane.sublanes[at].push(row, failed);
        lane.ends[at] = ended;
    }

    // What runs keeps its place until it ends, so that nothing jumps.
    setLive() {
        const { trace } = this;
        for (const lane of this.#lanes.values()) {
            lane.live = [];
            for (const [row, at] of lane.holds) {
                if (trace.live.has(row)) continue;
                lane.holds.delete(row);
                lane.held[at] = Infinity;
            }
        }
        for (const [row, { since, phase }] of trace.live) {
            const lane = this.#lane(this.keyOf(row));
            lane.live.push({ row, since, phase, sublane: this.#hold(lane, row, since) });
        }
        for (const lane of this.#lanes.values()) this.#condense(lane, this.taken);
    }

    #hold(lane, row, since) {
        if (lane.sublanes === null) return -1;
        if (lane.holds.has(row)) return lane.holds.get(row);
        const at = fit(lane, since, Infinity);
        if (at === MOST) return overflow(lane), -1;
        if (at === lane.sublanes.length) lane.sublanes.push(new Sublane(this.trace));
        lane.holds.set(row, at);
        lane.held[at] = since;
        return at;
    }

    #condense(lane, first) {
        const { trace } = this;
        const dense = lane.sublanes === null || lane.sublanes.length > FEW;
        if (!dense && lane.dense === null) return;
        if (lane.dense === null) {
            const base = trace.submitted[0] >= 0 ? trace.submitted[0] : 0;
            lane.dense = { starts: new SortedTimes(base), ends: new SortedTimes(base), failures: new SortedTimes(base) };
            first = 0;
        }
        addTimes(lane.dense, trace, first, this.taken, (row) => this.keyOf(row) === lane.key);
    }

    #lane(key) {
        const known = this.#lanes.get(key);
        if (known) return known;
        const lane = { key, ...this.#what(key), attempts: 0, failed: 0, dropped: 0, busy: 0, sublanes: [], live: [], dense: null,
            ends: new Float64Array(MOST), held: new Float64Array(MOST).fill(Infinity), holds: new Map() };
        this.#lanes.set(key, lane);
        this.#order = null;
        return lane;
    }

    // Of the lane of an attempt: by step, twice the step and 1 for its `finally`s; by agent, its index after three kinds of
    // attempts that have none.
    keyOf(row) {
        const { trace, steps } = this;
        if (this.by === 'step') return trace.step[row] * 2 + trace.final[row];
        if (trace.agent[row] !== NO_AGENT) return trace.agent[row] + 3;
        const action = trace.final[row] ? 'Command' : steps[trace.step[row]]?.action;
        return action === 'Human' ? 1 : action === 'Pool' ? 2 : 0;
    }

    #what(key) {
        if (this.by === 'step') return { step: key >> 1, final: key & 1, agent: -1 };
        return { step: -1, final: 0, agent: key < 3 ? ['commands', 'people', 'none'][key] : key - 3 };
    }
}

export function failedOf(trace, row) {
    const outcome = trace.outcome[row];
    return outcome === OUTCOME.dropped ? FAILED.dropped : outcome === OUTCOME.retried ? FAILED.retried : FAILED.none;
}

// The sublane that was free for the shortest time before `start`, which needs the fewest of them; or a new one; or MOST.
// Those that something holds which runs are free for what had ended before that.
function fit(lane, start, ended) {
    let best = -1;
    const { ends, held } = lane;
    const length = lane.sublanes.length;
    for (let i = 0; i < length; ++i)
        if (ends[i] <= start && held[i] >= ended && (best < 0 || ends[i] > ends[best])) best = i;
    return best >= 0 ? best : length;
}

function overflow(lane) {
    lane.sublanes = null;
    lane.holds.clear();
}

// How many attempts ended before a time: those that a run has taken over from another one come first in its log.
export function endedBefore({ order, ended, completions }, time) {
    let low = 0;
    let high = completions;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (ended[order[middle]] < time) low = middle + 1;
        else high = middle;
    }
    return low;
}

// Adds the completions [first, after) of the trace that are `wanted` to { starts, ends, failures }.
export function addTimes(to, trace, first, after, wanted) {
    const starts = new Float64Array(after - first);
    const ends = new Float64Array(after - first);
    const failures = new Float64Array(after - first);
    let count = 0;
    let failed = 0;
    for (let i = first; i < after; ++i) {
        const row = trace.order[i];
        if (!wanted(row) || !(trace.ended[row] >= 0)) continue;
        const start = trace.started[row] >= 0 ? trace.started[row] : trace.ended[row];
        starts[count] = start;
        ends[count++] = Math.max(start, trace.ended[row]);
        if (failedOf(trace, row) !== FAILED.none) failures[failed++] = trace.ended[row];
    }
    to.starts.add(starts.subarray(0, count));
    to.ends.add(ends.subarray(0, count));
    to.failures.add(failures.subarray(0, failed));
}
