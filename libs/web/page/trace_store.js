// The trace of one run in typed arrays: a row an attempt, in the order of the log. It is fed with batches, also while the
// run goes on; a million rows take 70 MB. Pure. Queries over it (filter, sort) are in trace_query.js.
//
// Columns by row (valid up to `rows`): submitted, id, parent, of, step, origin, as in the batches, and
//   next       row of the retry that replaces this attempt, or NONE: then it is the last of its task
//   attempt    1, 2, … within its task
//   final      1 if it is a `finally` (or gather), which is a task of its own
// and, once it has ended (outcome is 0 before that): started, ended, usd, pre, post, tokens, agent, outcome, reason, flags.
// `order` has the rows that have ended, in the order in which they did (valid up to `completions`).
// A task is a chain of attempts, and is known by its last row.

import { decodeBatches } from './batch.js';

export const NONE = 0xFFFFFFFF;
export const NO_AGENT = 0xFFFF;
export const OUTCOME = { open: 0, succeeded: 1, retried: 2, dropped: 3 };
export const ORIGIN = { initial: 0, spawned: 1, retry: 2, finally: 3 };
export const FLAG = { reused: 1, person: 2, noAttempt: 4, report: 8, measured: 16, lenient: 32 };
export const REASONS = ['', 'Timeout', 'AgentLost', 'AgentFailed', 'InvalidResponse', 'CommandFailed', 'HookFailed', 'PastBound',
    'Rejected', 'Expired'];
// States of a row; `retried` is that of an attempt that was replaced by another one, so never that of a task.
export const STATES = ['waiting', 'running', 'human', 'done', 'dropped', 'retried'];
export const STATE = Object.fromEntries(STATES.map((name, code) => [name, code]));

const COLUMNS = {
    submitted: Float64Array, id: Uint32Array, parent: Uint32Array, of: Uint32Array, step: Uint16Array, origin: Uint8Array,
    next: Uint32Array, attempt: Uint16Array, final: Uint8Array,
    started: Float64Array, ended: Float64Array, usd: Float32Array, pre: Uint32Array, post: Uint32Array, tokens: Uint32Array,
    agent: Uint16Array, outcome: Uint8Array, reason: Uint8Array, flags: Uint8Array, order: Uint32Array,
};
const DIRECT = ['submitted', 'id', 'parent', 'of', 'step', 'origin'];
const AT_END = ['started', 'ended', 'usd', 'pre', 'post', 'tokens', 'agent', 'outcome', 'reason', 'flags'];

function scatter(to, rows, from) {
    for (let i = 0; i < rows.length; ++i) to[rows[i]] = from[i];
}

const emptyGroup = () => ({ tasks: 0, done: 0, dropped: 0, retries: 0, attempts: 0, reused: 0, usd: 0, priced: 0, reports: 0,
    tokens: 0, time: 0, longest: 0 });

export class Trace {
    rows = 0;
    completions = 0;
    agents = [];
    groups = [];       // sums by step and kind, see group()
    live = new Map();  // row -> what the run reports of it while it is running
    #capacity = 0;
    #unreported = [];  // see setUnreported()
    #isHuman = [];     // by step: its open tasks wait for a person, if they do not run
    #ids = null;       // id -> row, if ids do not grow with the rows
    #idsGrow = true;

    constructor() {
        this.#reserve(1024);
    }

    // Where the next batch goes on, as `R.C`.
    get position() {
        return `${this.rows}.${this.completions}`;
    }

    // Appends all batches of a body. Throws an Error if it is damaged, or does not continue this trace.
    append(buffer) {
        for (const batch of decodeBatches(buffer)) this.#append(batch);
    }

    #append(batch) {
        if (batch.firstRow !== this.rows) throw new Error(`the trace goes on at row ${this.rows}, not ${batch.firstRow}`);
        this.#reserve(this.rows + batch.n);
        this.agents.push(...batch.agents);
        for (const name of DIRECT) this[name].set(batch.rows[name], this.rows);
        const begin = this.rows;
        this.rows += batch.n;
        for (let row = begin; row < this.rows; ++row) this.#submitted(row);
        this.#completed(batch.m, batch.ends);
    }

    #reserve(rows) {
        if (rows <= this.#capacity) return;
        this.#capacity = Math.max(rows, Math.ceil(this.#capacity * 1.6));
        for (const [name, Type] of Object.entries(COLUMNS)) {
            const grown = new Type(this.#capacity);
            if (this[name]) grown.set(this[name]);
            this[name] = grown;
        }
    }

    #submitted(row) {
        const { of, next, attempt, final, started, ended, usd, agent } = this;
        const retry = this.origin[row] === ORIGIN.retry;
        const before = retry ? of[row] : NONE;
        next[row] = NONE;
        attempt[row] = 1;
        final[row] = this.origin[row] === ORIGIN.finally ? 1 : 0;
        started[row] = ended[row] = usd[row] = NaN;
        agent[row] = NO_AGENT;
        if (before < row) {
            next[before] = row;
            attempt[row] = attempt[before] + 1;
            final[row] = final[before];
        }
        if (row > 0 && this.id[row] <= this.id[row - 1]) this.#idsGrow = false;
        if (this.#ids !== null) this.#ids.set(this.id[row], row);
        const group = this.group(this.step[row], final[row]);
        if (retry) ++group.retries;
        if (before >= row) ++group.tasks;
    }

    // Column by column: a million ends in one batch take a third of the time.
    #completed(m, ends) {
        const rows = ends.row;
        for (let i = 0; i < m; ++i) {
            const row = rows[i];
            if (row >= this.rows || this.outcome[row] !== OUTCOME.open) throw new Error(`attempt ${row} cannot end here`);
            this.outcome[row] = ends.outcome[i];
            if (this.live.size) this.live.delete(row);
        }
        for (const name of AT_END) scatter(this[name], rows, ends[name]);
        this.order.set(rows, this.completions);
        this.completions += m;
        for (let i = 0; i < m; ++i) this.#count(rows[i]);
    }

    #count(row) {
        const group = this.group(this.step[row], this.final[row]);
        const flags = this.flags[row];
        if (this.outcome[row] === OUTCOME.succeeded) ++group.done;
        if (this.outcome[row] === OUTCOME.dropped) ++group.dropped;
        if (flags & FLAG.reused) ++group.reused;
        if (flags & FLAG.report) ++group.reports;
        group.tokens += this.tokens[row];
        if (this.usd[row] >= 0) {
            group.usd += this.usd[row];
            ++group.priced;
        }
        if (flags & (FLAG.reused | FLAG.noAttempt)) return;
        ++group.attempts;
        const time = this.ended[row] - this.started[row];
        if (time >= 0) group.time += time;
        if (time > group.longest) group.longest = time;
    }

    // The sums of the tasks of a step, or of its `finally`s (final = 1): { tasks, done, dropped, retries (attempts after a
    // task's first), attempts (that ended), reused, usd, priced (attempts with a price), reports, tokens, time (ms, of all
    // attempts), longest }. What is neither done nor dropped is open.
    group(step, final) {
        const index = step * 2 + (final ? 1 : 0);
        return this.groups[index] ??= emptyGroup();
    }

    // The sum over all groups, with `open`.
    total() {
        const sum = emptyGroup();
        for (const group of this.groups) {
            for (const name in group ?? {}) sum[name] = name === 'longest' ? Math.max(sum[name], group[name]) : sum[name] + group[name];
        }
        return { ...sum, open: sum.tasks - sum.done - sum.dropped };
    }

    // The row of an attempt's id (its number in the log), or NONE.
    rowOf(id) {
        if (this.#idsGrow) return this.#search(id);
        if (this.#ids === null) {
            this.#ids = new Map();
            for (let row = 0; row < this.rows; ++row) this.#ids.set(this.id[row], row);
        }
        return this.#ids.get(id) ?? NONE;
    }

    #search(id) {
        let low = 0;
        let high = this.rows;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.id[middle] < id) low = middle + 1;
            else high = middle;
        }
        return low < this.rows && this.id[low] === id ? low : NONE;
    }

    // The steps of the run, in the order of its config.
    setSteps(steps) {
        this.#isHuman = steps.map((step) => step.action === 'Human');
    }

    // The exact sums of a run of which only a part of the rows is here: the `sums` of a report, by the steps' names.
    setSums({ steps: sums, usage }, steps) {
        this.groups = [];
        const indexOf = (name) => steps.findIndex((step) => step.name === name);
        for (const sum of sums) {
            Object.assign(this.group(indexOf(sum.step), sum.finally), { tasks: sum.tasks, done: sum.done, dropped: sum.dropped,
                retries: sum.retried, attempts: sum.timed, time: sum.total_ms, longest: sum.longest_ms });
        }
        for (const row of usage) this.#addUsage(this.group(indexOf(row.step), 0), row, 1);
    }

    // What agents have used that no report has told, by the steps' names: it replaces what was set before.
    setUnreported(rows, steps) {
        for (const [group, row] of this.#unreported) this.#addUsage(group, row, -1);
        this.#unreported = rows.map((row) => [this.group(steps.findIndex((step) => step.name === row.step), 0), row]);
        for (const [group, row] of this.#unreported) this.#addUsage(group, row, 1);
    }

    #addUsage(group, row, sign) {
        group.usd += sign * row.usd;
        group.priced += sign * row.priced;
        group.reports += sign * row.reports;
        group.tokens += sign * (row.input_tokens + row.output_tokens);
    }

    // The `running` of a `state` event: [{ id, phase, since, activity }].
    setLive(running) {
        this.live = new Map();
        for (const task of running ?? []) {
            const row = this.rowOf(task.id);
            if (row !== NONE && this.outcome[row] === OUTCOME.open) this.live.set(row, task);
        }
    }

    // The code of STATE of a row.
    stateOf(row) {
        if (this.next[row] !== NONE) return STATE.retried;
        switch (this.outcome[row]) {
        case OUTCOME.succeeded: return STATE.done;
        case OUTCOME.dropped: return STATE.dropped;
        case OUTCOME.retried: return STATE.waiting;  // its retry is in the same group, so only a sample lacks it
        }
        const live = this.live.size ? this.live.get(row) : undefined;
        if (live === undefined) return this.#isHuman[this.step[row]] && !this.final[row] ? STATE.human : STATE.waiting;
        return live.phase === 'human' ? STATE.human : STATE.running;
    }

    // Milliseconds that the attempt took, or has taken until `now`; NaN if it has not started or that is not known.
    durationOf(row, now = NaN) {
        if (this.outcome[row] !== OUTCOME.open) return this.ended[row] - this.started[row];
        const since = this.startOf(row);
        return now - since;
    }

    startOf(row) {
        if (this.outcome[row] !== OUTCOME.open) return this.started[row];
        return this.live.get(row)?.since ?? NaN;
    }

    // The attempts of a task, oldest first, from any of its rows.
    chain(row) {
        while (this.next[row] !== NONE) row = this.next[row];
        const found = [row];
        while (this.origin[row] === ORIGIN.retry && this.of[row] < row) found.push(row = this.of[row]);
        return found.reverse();
    }

    // What all attempts of the task cost, in dollars, and their tokens. NaN if no attempt has a price.
    costOf(row) {
        let usd = NaN;
        for (let at = row; ; at = this.of[at]) {
            if (this.usd[at] >= 0) usd = (usd >= 0 ? usd : 0) + this.usd[at];
            if (this.origin[at] !== ORIGIN.retry || this.of[at] >= at) return usd;
        }
    }

    tokensOf(row) {
        return this.chain(row).reduce((sum, at) => sum + this.tokens[at], 0);
    }
}
