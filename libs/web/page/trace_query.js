// Which tasks of a trace, in which order: a million in some ten milliseconds. Pure.

import { NONE, STATE } from './trace_store.js';
import { sortByKeys } from './radix_sort.js';

// A set of rows, as search results are: one bit a row.
export class RowSet {
    constructor(rows) {
        this.bits = new Uint32Array((rows.reduce((most, row) => Math.max(most, row), 0) >>> 5) + 1);
        for (const row of rows) this.bits[row >>> 5] |= 1 << (row & 31);
    }

    has(row) {
        return (this.bits[row >>> 5] >>> (row & 31) & 1) === 1;
    }
}

// The tasks, by their last rows in the order of the log, that pass: { step: index or -1 (all), final: true, false or null
// (both), states: a set of codes of STATE or null, retried: true (only those with more than one attempt), found: RowSet of
// any of their rows, or null }.
export function filter(trace, { step = -1, final = null, states = null, retried = false, found = null } = {}) {
    const wanted = stateMask(states);
    const hits = new Uint32Array(trace.rows);
    let length = 0;
    for (let row = 0; row < trace.rows; ++row) {
        if (trace.next[row] !== NONE) continue;
        if (step >= 0 && trace.step[row] !== step) continue;
        if (final !== null && (trace.final[row] === 1) !== final) continue;
        if (retried && trace.attempt[row] === 1) continue;
        if (wanted !== 0 && (wanted >>> trace.stateOf(row) & 1) === 0) continue;
        if (found !== null && !inChain(trace, row, found)) continue;
        hits[length++] = row;
    }
    return hits.subarray(0, length);
}

function stateMask(states) {
    let mask = 0;
    for (const state of states ?? []) mask |= 1 << state;
    return mask;
}

function inChain(trace, row, found) {
    if (found.has(row)) return true;
    return trace.attempt[row] > 1 && trace.chain(row).some((at) => found.has(at));
}

const KEYS = {
    start: (trace, row) => trace.startOf(row),
    duration: (trace, row, now) => trace.durationOf(row, now),
    attempts: (trace, row) => trace.attempt[row],
    cost: (trace, row) => trace.costOf(row),
    tokens: (trace, row) => trace.attempt[row] > 1 ? trace.tokensOf(row) : trace.tokens[row],
    step: (trace, row) => trace.step[row] * 2 + trace.final[row],
    state: (trace, row) => trace.stateOf(row),
};
export const SORT_KEYS = Object.keys(KEYS);

// The rows sorted by a key of SORT_KEYS; stable; what has no value is last either way.
export function sort(trace, rows, key, descending, now = NaN) {
    const read = KEYS[key];
    const keys = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; ++i) keys[i] = read(trace, rows[i], now);
    return sortByKeys(rows, keys, descending);
}

// Counts of the tasks by state, of all or of one step: an array by the codes of STATE.
export function countStates(trace, step = -1) {
    const counts = new Array(Object.keys(STATE).length).fill(0);
    for (let row = 0; row < trace.rows; ++row) {
        if (trace.next[row] === NONE && (step < 0 || trace.step[row] === step)) ++counts[trace.stateOf(row)];
    }
    return counts;
}
