// What the status of a pool (docs/status.md) means for people. Pure. Times in ms since 1970, of the pool's clock.

import * as format from './format.js';

// The agents by name: rows that stay where they are can be watched.
export function sortedAgents(agents) {
    const title = (agent) => agent.name ?? agent.id;
    return [...agents].sort((a, b) => compareNames(title(a), title(b)) || compareNames(a.id, b.id));
}

// claude-2 comes before claude-10.
export function compareNames(a, b) {
    return a.localeCompare(b, 'en', { numeric: true });
}

// { busy, idle, heartbeat, ending }
export function agentCounts(agents) {
    const counts = { busy: 0, idle: 0, heartbeat: 0, ending: 0 };
    for (const { state } of agents) if (Object.hasOwn(counts, state)) ++counts[state];
    return counts;
}

// Agents that are away, by the reason: [{ names, account, reason, until (when the last of them is back) }], the first to be
// back first.
export function awayGroups(away) {
    const groups = new Map();
    for (const { name, account, reason, until } of away) {
        const key = JSON.stringify([account ?? null, reason ?? '']);
        const group = groups.get(key) ?? { names: [], account: account ?? null, reason: reason ?? '', until: 0 };
        group.names.push(name);
        group.until = Math.max(group.until, until);
        groups.set(key, group);
    }
    return [...groups.values()].sort((a, b) => a.until - b.until);
}

// "2 agents until 14:05:00: claude (/home/me) is parked: You've hit your limit"
export function awayText(group, now) {
    const state = group.account === null ? 'resting' : `${group.account} is parked`;
    const reason = group.reason.startsWith('resting') ? group.reason : [state, group.reason].filter(Boolean).join(': ');
    return `${format.plural(group.names.length, 'agent')} until ${format.time(group.until, now)}: ${reason}`;
}

// "3 tasks for 40.0 s: no agent has the label gpu"
export function unmatchedText({ length, since, labels, missing }, now) {
    const wanted = missing.length === 0 ? `all of the labels ${labels.join(', ')}`
        : `the label${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
    return `${format.plural(length, 'task')} for ${format.duration(now - since)}: no agent has ${wanted}`;
}

export function queueText({ length, head }, now) {
    return head === null ? 'empty' : `${format.plural(length, 'task')}, the first for ${format.duration(now - head.since)}`;
}

// "Edit libs/a.cpp · turn 7 · $0.31"
export function activityText(activity) {
    if (!activity) return '';
    const { text, turn, usd, price_list: list } = activity;
    return [text, turn > 0 && `turn ${turn}`, usd !== null && usd !== undefined && (list ? 'about ' : '') + format.dollars(usd)].filter(Boolean).join(' · ');
}

export function submissionText({ state, submission }) {
    if (state !== 'busy' && state !== 'ending') return '';
    return submission ?? '(withdrawn)';
}

const COUNTS = [['submitted', 'submitted'], ['recovered', 'recovered'], ['processed', 'processed'], ['timed_out', 'timeout'],
    ['stopped', 'stopped'], ['withdrawn', 'withdrawn'], ['invalid', 'invalid'], ['handed_back', 'handed back'],
    ['kicked', 'kicked'], ['failed', 'failed'], ['died', 'died']];
const RARE = new Set(['recovered', 'failed', 'died']);

// [[title, count]]; what explains a difference is there only if there is any.
export function countList(counts) {
    const shown = COUNTS.filter(([key]) => counts[key] > 0 || (counts[key] === 0 && !RARE.has(key)));
    return shown.map(([key, title]) => [title, counts[key]]);
}

const LONGEST = 120000;  // ms that a history keeps

// How much a pool does, as long as it is watched.
export class PoolHistory {
    #points = [];  // { time, processed, queue, busy }

    // Takes a status. One of a daemon that has begun anew begins anew, too.
    take({ time, started, counts, queue, agents }) {
        if (this.started !== started) this.#points = [];
        this.started = started;
        const last = this.#points[this.#points.length - 1];
        if (last !== undefined && time - last.time < 900) return;
        this.#points.push({ time, processed: counts.processed, queue: queue.length, busy: agentCounts(agents).busy });
        while (this.#points[0].time < time - LONGEST) this.#points.shift();
    }

    // Tasks per second over the last 30 s; NaN if that is not known yet.
    get rate() {
        const last = this.#points[this.#points.length - 1];
        const first = this.#points.find(({ time }) => time >= last.time - 30000);
        return first === undefined || last.time - first.time < 1000 ? NaN
            : (last.processed - first.processed) / (last.time - first.time) * 1000;
    }

    // Of 'rate', 'queue' or 'busy': [{ x, y }] between 0 and 1, and the highest value.
    series(kind) {
        const valueAt = (point, i) => (kind === 'rate' ? this.#rateAt(i) : point[kind]);
        const values = this.#points.map((point, i) => ({ time: point.time, value: valueAt(point, i) })).filter(({ value }) => value >= 0);
        const highest = values.reduce((most, { value }) => Math.max(most, value), 0);
        const end = values.length ? values[values.length - 1].time : 0;
        const points = values.map(({ time, value }) => ({ x: 1 - (end - time) / LONGEST, y: highest > 0 ? value / highest : 0 }));
        return { highest, points };
    }

    #rateAt(i) {
        if (i === 0) return NaN;
        const [a, b] = [this.#points[Math.max(0, i - 5)], this.#points[i]];
        return (b.processed - a.processed) / (b.time - a.time) * 1000;
    }
}
