// One pool: its agents, its queue, what it has done. Its elements stay, only their text changes.

import { CutRows } from './cut_rows.js';
import { fill, h, s, setAttribute, setText } from './dom.js';
import { EngineView } from './engine_view.js';
import { name, setName } from './shown_text.js';
import { showState } from './state_mark.js';
import {
    activityText, agentCounts, awayGroups, awayText, countList, queueText, sortedAgents, submissionText, unmatchedText,
} from './pool_model.js';
import * as format from './format.js';

const MARKS = { busy: 'running', idle: 'waiting', heartbeat: 'paused', ending: 'retried' };

export class PoolCard {
    #status = null;
    #ahead = 0;  // ms by which the pool's clock is ahead of this one

    // history: a PoolHistory, which outlives the card.
    constructor(id, history) {
        Object.assign(this, { id, history });
        this.title = name(id, 200);
        this.draining = h('span', { class: 'badge draining', hidden: true }, 'draining');
        this.about = h('p', { class: 'muted pool-about' });
        this.problem = h('p', { class: 'pool-problem', hidden: true });
        this.warnings = h('ul', { class: 'pool-warnings' });
        this.figures = Object.fromEntries(['busy', 'idle', 'away', 'queue', 'rate'].map((key) => [key, figure(key)]));
        this.counts = h('dl', { class: 'pool-counts' });
        this.latencies = latencyTable();
        const agents = h('tbody');
        this.agents = new CutRows(agents, 'agent', agentRow);
        this.engine = null;  // an EngineView if the pool has many hosts
        this.table = h('div', { class: 'pool-agents', tabindex: 0, role: 'group', 'aria-label': 'Agents' },
            agentTable(agents), this.agents.more);
        this.now = h('dl', { class: 'pool-figures' }, Object.values(this.figures).map((one) => one.element));
        this.body = h('div', { class: 'pool-body' }, this.now, this.warnings, this.table,
            h('div', { class: 'pool-totals' }, this.latencies.element, this.counts));
        this.element = h('section', { class: 'pool panel' },
            h('div', { class: 'pool-head' }, h('h2', {}, this.title), this.draining), this.about, this.problem, this.body);
    }

    // A status document, or { pool, error }.
    take(pool) {
        setAttribute(this.element, 'aria-label', `pool ${this.id.slice(0, 100)}`);
        this.problem.hidden = this.about.hidden = !pool.error;
        this.about.hidden = Boolean(pool.error);
        this.body.hidden = Boolean(pool.error);
        if (pool.error) return void fill(this.problem, name(`It cannot be asked: ${pool.error}`, 1000));
        this.#status = pool;
        this.#ahead = pool.time - Date.now();
        this.history.take(pool);
        this.#showTotals(pool);
        this.#takeEngine(pool);
        this.tick();
    }

    #takeEngine(status) {
        if (!status.engine) {
            this.engine?.element.remove();
            this.engine = null;
            return;
        }
        if (this.engine === null) this.now.after((this.engine = new EngineView()).element);
        this.engine.take(status);
    }

    // What changes with the time alone.
    tick() {
        const status = this.#status;
        if (status === null || this.body.hidden) return;
        const now = Date.now() + this.#ahead;
        this.draining.hidden = !status.draining;
        const age = format.duration(Math.floor((now - status.started) / 1000) * 1000);
        setName(this.about, `${status.path} · process ${status.pid} · running for ${age}`, 400);
        this.#showFigures(status, now);
        this.engine?.tick(now);
        this.#showWarnings(status, now);
        this.table.hidden = status.agents.length === 0;
        this.agents.show(sortedAgents(status.agents), now);
    }

    #showFigures({ agents, away, queue }, now) {
        const counts = agentCounts(agents);
        const { figures } = this;
        figures.busy.show(format.count(counts.busy + counts.ending), this.history.series('busy'));
        figures.idle.show(format.count(counts.idle + counts.heartbeat));
        figures.away.show(format.count(away.length));
        const oldest = queue.head === null ? '' : `the first for ${format.duration(now - queue.head.since)}`;
        figures.queue.show(format.count(queue.length), this.history.series('queue'), oldest);
        figures.rate.show(format.rate(this.history.rate) || '–', this.history.series('rate'));
        setAttribute(figures.queue.element, 'title', queueText(queue, now));
    }

    #showWarnings({ queue, away, draining, agents }, now) {
        const texts = [
            draining && 'Tasks are no longer assigned; the daemon ends when its agents have finished.',
            agents.length === 0 && queue.length > 0 && 'There are tasks, but no agent is attached.',
            ...queue.unmatched.map((tasks) => unmatchedText(tasks, now)),
            ...awayGroups(away).map((group) => awayText(group, now)),
        ].filter(Boolean);
        while (this.warnings.children.length > texts.length) this.warnings.lastChild.remove();
        texts.forEach((text, i) => {
            if (!this.warnings.children[i]) this.warnings.append(h('li', {}, h('bdi')));
            setName(this.warnings.children[i].firstChild, text, 600);
        });
    }

    #showTotals({ counts, waiting, working }) {
        fill(this.counts, countList(counts).map(([title, count]) =>
            h('div', {}, h('dt', {}, title), h('dd', {}, format.count(count)))));
        this.latencies.show({ waiting, working });
    }
}

const TITLES = { busy: 'busy', idle: 'idle', away: 'away', queue: 'in the queue', rate: 'tasks done' };

// A number, and how it has been.
function figure(key) {
    const value = h('span', { class: 'pool-number' });
    const note = h('span', { class: 'muted pool-note' });
    const line = s('path');
    const spark = ['busy', 'queue', 'rate'].includes(key)
        ? s('svg', { class: 'spark', viewBox: '0 0 100 24', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, line) : null;
    const element = h('div', { class: `pool-figure ${key}` }, h('dt', {}, TITLES[key]), h('dd', {}, value, spark, note));
    const show = (text, series, more = '') => {
        setText(value, text);
        setText(note, more);
        if (spark !== null) setAttribute(line, 'd', pathOf(series.points));
    };
    return { element, show };
}

function pathOf(points) {
    if (points.length < 2) return '';
    return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${(x * 100).toFixed(1)} ${(23 - y * 22).toFixed(1)}`).join('');
}

function agentTable(body) {
    const heading = (text) => h('th', { scope: 'col', class: text === 'for' ? 'number' : null }, text);
    return h('table', { class: 'plain-table' }, h('caption', { class: 'visually-hidden' }, 'Agents'),
        h('thead', {}, h('tr', {}, ['agent', 'state', 'for', 'doing', 'labels', 'task'].map(heading))), body);
}

function agentRow() {
    const title = h('bdi', { class: 'name' });
    const state = h('span');
    const doing = h('bdi', { class: 'name' });
    const labels = h('bdi', { class: 'name' });
    const task = h('bdi', { class: 'name mono' });
    const since = h('td', { class: 'number' });
    const element = h('tr', {}, h('th', { scope: 'row' }, title), h('td', {}, state), since,
        h('td', { class: 'pool-doing' }, doing), h('td', {}, labels), h('td', {}, task));
    const show = (agent, now) => {
        setName(title, agent.name ?? agent.id, 80);
        showState(state, MARKS[agent.state] ?? 'waiting', agent.state);
        setText(since, format.clock(now - agent.since));
        setName(doing, activityText(agent.activity), 200);
        setName(labels, (agent.labels ?? []).join(', '), 200);
        setName(task, submissionText(agent), 80);
    };
    return { element, show };
}

function latencyTable() {
    const columns = ['p50', 'p90', 'p99', 'max'];
    const rows = ['waiting', 'working'].map((key) => ({ key, cells: columns.map(() => h('td', { class: 'number' })) }));
    const element = h('table', { class: 'plain-table' }, h('caption', { class: 'visually-hidden' }, 'Latencies'),
        h('thead', {}, h('tr', {}, h('td'), columns.map((text) => h('th', { scope: 'col', class: 'number' }, text)))),
        h('tbody', {}, rows.map(({ key, cells }) => h('tr', {}, h('th', { scope: 'row' }, key), cells))));
    const show = (latencies) => rows.forEach(({ key, cells }) =>
        columns.forEach((column, i) => setText(cells[i], format.latency(latencies[key][`${column}_ms`]))));
    return { element, show };
}
