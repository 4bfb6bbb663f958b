// Above the views of a run: what it is, how far it is, what it costs, what one can do with it.

import { h, setAttribute, setText } from './dom.js';
import { setName } from './shown_text.js';
import { showState } from './state_mark.js';
import { progressBar } from './progress_bar.js';
import { isLive, summarize } from './run_summary.js';
import { runButtons } from './run_actions.js';
import { RUN_VIEWS } from './routes.js';
import * as format from './format.js';

const FIGURES = [
    ['progress', 'done'], ['dropped', 'dropped'], ['retries', 'retries'], ['running', 'running'], ['pool', 'at pool'], ['waiting', 'waiting'],
    ['human', 'for people'], ['elapsed', 'time'], ['rate', 'rate'], ['eta', 'left'], ['cost', 'cost'],
];
const TITLES = { graph: 'Graph', tasks: 'Tasks', timeline: 'Timeline' };

export function runHeader(app) {
    const parts = {
        title: h('h1', { class: 'run-title' }), state: h('span', { class: 'state' }), about: h('bdi', { class: 'run-about muted name' }),
        next: h('a', { class: 'nowrap', hidden: true }),
        note: h('p', { class: 'run-note', hidden: true, role: 'status' }), bar: progressBar(), buttons: runButtons(app),
        tabs: Object.fromEntries(RUN_VIEWS.map((view) => [view, h('a', {}, TITLES[view])])),
        figures: Object.fromEntries(FIGURES.map(([key, label]) => [key, figure(key, label)])),
    };
    const element = h('section', { class: 'run-header', hidden: true, 'aria-label': 'Run' },
        h('div', { class: 'run-line' }, parts.title, parts.state, parts.next, parts.about, parts.buttons.element),
        parts.note, parts.bar.element,
        h('div', { class: 'run-line run-lower' },
            h('nav', { class: 'tabs', 'aria-label': 'Views of the run' }, Object.values(parts.tabs)),
            h('dl', { class: 'figures' }, Object.values(parts.figures).map((one) => one.element))));
    return { element, update: (what) => update(app, element, parts, what) };
}

function figure(key, label) {
    const value = h('dd');
    const element = h('div', { class: `figure figure-${key}` }, h('dt', {}, label), value);
    return { element, value };
}

function update(app, element, parts, what) {
    const { route, model: { run } } = app;
    element.hidden = !route.run || run === null;
    if (element.hidden) return;
    if (what.has('route')) showTabs(app, parts);
    if (['route', 'run', 'trace', 'state', 'clock'].some((name) => what.has(name))) showRun(app, run, element, parts);
}

function showTabs(app, { tabs }) {
    const current = app.route.view === 'task' ? 'tasks' : app.route.view;
    for (const [view, link] of Object.entries(tabs)) {
        link.href = app.href({ view, run: app.route.run, query: view === 'tasks' ? app.model.run.listQuery : {} });
        setAttribute(link, 'aria-current', view === current ? 'page' : null);
    }
}

function showRun(app, run, element, parts) {
    const { record } = run;
    const title = record?.name || record?.workflow || run.id.slice(0, 8);
    setName(parts.title, title);
    document.title = `${title.slice(0, 60)} · Barnum`;
    parts.state.hidden = !record;
    element.classList.toggle('unknown', !record && run.error === null);
    if (record) showState(parts.state, record.state);
    setName(parts.about, record ? aboutRun(record) : '');
    showNext(app, parts.next, record?.resumed_by);
    parts.buttons.show(record);
    showNote(parts.note, noteOf(app, run));
    const sums = summarize(run, app.now());
    parts.bar.show(sums);
    showFigures(parts.figures, sums, run);
}

// The run that goes on with this one.
function showNext(app, link, next) {
    link.hidden = !next;
    if (!next) return;
    const { view } = app.route;
    link.href = app.href({ view: RUN_VIEWS.includes(view) ? view : 'graph', run: next });
    setText(link, `goes on as ${next.slice(0, 8)}`);
}

function aboutRun(record) {
    const result = record.result && !['finished', 'failed', record.state].includes(record.result) ? record.result.replace(/_/g, ' ') : '';
    return [result, record.name && record.workflow, record.id.slice(0, 8), `started ${format.time(record.started)}`].filter(Boolean).join(' · ');
}

// What a reader must know before the figures.
function noteOf(app, run) {
    if (app.source.written) {
        return `Report of ${format.exactTime(app.source.written).slice(0, 19)}. ${run.info?.sample?.rule ?? ''}`;
    }
    if (isLive(run.record)) return run.state?.standstill ?? '';
    return run.record?.resumable ? `It can be resumed: barnum resume ${run.id}` : '';
}

function showNote(element, text) {
    element.hidden = text === '';
    if (element.text !== text) setName(element, text, 1000);
    element.text = text;
}

function showFigures(figures, sums, run) {
    const texts = {
        progress: `${format.count(sums.done)} of ${format.count(sums.tasks)}`,
        dropped: sums.dropped ? format.count(sums.dropped) : '', retries: sums.retries ? format.count(sums.retries) : '',
        running: sums.live ? format.count(sums.running) : '', waiting: sums.waiting ? format.count(sums.waiting) : '',
        pool: sums.pool ? format.count(sums.pool) : '', human: sums.human ? format.count(sums.human) : '',
        elapsed: format.duration(sums.elapsed), rate: sums.live && sums.rate > 0 ? format.rate(sums.rate) : '',
        eta: Number.isFinite(sums.eta) ? format.duration(sums.eta) : '',
        cost: (Number.isFinite(sums.usd) && sums.atLeast ? '≥ ' : '') + format.dollars(sums.usd),
    };
    for (const [key, one] of Object.entries(figures)) {
        setText(one.value, run.ready ? texts[key] || '–' : '…');
        const needed = texts[key] !== '' || ['progress', 'elapsed'].includes(key) || (sums.live && ['rate', 'eta'].includes(key));
        if (run.ready && needed) one.run = run;  // what was shown of a run stays, so that the others do not move
        one.element.hidden = (run.ready && one.run !== run) || run.error !== null;
        one.element.classList.toggle('dropped', key === 'dropped' && sums.dropped > 0);
    }
}
