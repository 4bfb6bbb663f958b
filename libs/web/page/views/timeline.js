// When each attempt of a run was made, in lanes by step or by agent; below, how many tasks ran and how many waited.

import { h, setAttribute, setText } from '../dom.js';
import { choiceButtons } from '../filter_bar.js';
import { Lanes, endedBefore } from '../timeline_lanes.js';
import { Curves } from '../timeline_curves.js';
import { TimelinePanel } from '../timeline_panel.js';
import { summaryOf, timelineTable } from '../timeline_table.js';
import { isLive } from '../run_summary.js';
import { startOf } from '../timeline_tip.js';
import { firstWindow, followed, limited } from '../timeline_window.js';

const AT_ONCE = 20000;  // attempts
const TIME = 50;        // ms, for which they are taken before the picture is drawn again

export function mount(root, app) {
    return new TimelineView(root, app);
}

class TimelineView {
    #trace = null;
    #lanes = {};    // by 'step' and 'agent', when they are wanted
    #curves = null;
    #whole = null;
    #frame = 0;

    constructor(root, app) {
        this.app = app;
        this.by = choiceButtons('Lanes', [['', 'by step'], ['agent', 'by agent']], (by) => app.setQuery({ by }));
        this.panel = new TimelinePanel(app, () => this.#describe());
        this.table = timelineTable();
        this.summary = h('p', { class: 'visually-hidden', id: 'timeline-summary' });
        setAttribute(this.panel.element, 'aria-describedby', 'timeline-summary');
        this.page = h('div', { class: 'timeline-page' }, this.panel.element, this.table.element);
        root.append(h('h2', { class: 'visually-hidden' }, 'Timeline'),
            h('div', { class: 'tools' }, this.by.element, legend(), this.panel.buttons),
            this.summary, this.page);
        this.table.element.addEventListener('toggle', () => this.#describe());
        this.keys = this.panel.keys;
    }

    get #by() {
        return this.app.route.query.by === 'agent' ? 'agent' : 'step';
    }

    update(what) {
        const { run } = this.app.model;
        if (what.has('theme')) this.panel.setPalette();
        if (what.has('route')) this.by.set(this.#by === 'agent' ? 'agent' : '');
        if (run === null || !run.ready) return;
        if (run.trace !== this.#trace) this.#begin(run);
        const changed = ['mount', 'route', 'trace', 'state', 'run'].some((name) => what.has(name));
        if (changed || (what.has('clock') && isLive(run.record))) this.#take(run);
    }

    #begin(run) {
        this.#trace = run.trace;
        this.#lanes = {};
        this.#curves = new Curves(run.trace, run.steps);
        this.#whole = null;
    }

    #take(run) {
        const lanes = this.#lanes[this.#by] ??= new Lanes(run.trace, run.steps, this.#by);
        const end = performance.now() + TIME;
        let more = true;
        while (more && performance.now() < end) more = [lanes.take(AT_ONCE), this.#curves.take(AT_ONCE)].includes(true);
        lanes.setLive();
        this.#curves.setLive();
        this.#show(run, lanes);
        cancelAnimationFrame(this.#frame);
        if (more) this.#frame = requestAnimationFrame(() => this.#take(run));
    }

    #show(run, lanes) {
        const now = this.app.now();
        const from = Math.min(startOf(run), lanes.from);
        const to = Math.max(isLive(run.record) ? now : -Infinity, lanes.to, from + 1);
        const whole = Number.isFinite(from) ? { from, to: Number.isFinite(to) ? to : from + 1 } : { from: 0, to: 1 };
        const before = this.#whole;
        this.#whole = whole;
        const started = this.#ownStart(run);
        const window = before === null ? firstWindow(started, whole)
            : followed(limited(this.panel.window, before), before, whole, started);
        this.panel.show({ run, lanes: lanes.list(), curves: this.#curves, window, whole, now, key: this.#by });
        this.#describe();
    }

    // When the run began, if attempts lie before that; else NaN.
    #ownStart({ trace, record }) {
        return endedBefore(trace, record?.started) > 0 ? record.started : NaN;
    }

    // What the picture shows, in words; the table only while it is open.
    #describe() {
        const { run } = this.app.model;
        const lanes = this.#lanes[this.#by];
        if (!run?.ready || !lanes) return;
        setText(this.summary, summaryOf(lanes.list(), this.#whole, endedBefore(run.trace, run.record?.started)));
        if (this.table.isOpen()) this.table.show(run, lanes.list());
    }

    unmount() {
        cancelAnimationFrame(this.#frame);
        this.panel.unmount();
    }
}

function legend() {
    const kinds = [['done', 'done'], ['retried', 'failed, tried again'], ['dropped', 'dropped'], ['running', 'running or at pool'],
        ['human', 'for people']];
    return h('ul', { class: 'timeline-legend', 'aria-label': 'Colours' }, kinds.map(([kind, text]) => h('li', { class: kind }, text)));
}
