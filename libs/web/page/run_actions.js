// The buttons of a run: pause, continue, cancel, retry, scale. Only where actions are possible.

import { h } from './dom.js';
import { dialog } from './dialog.js';
import { isLive } from './run_summary.js';
import { STATE } from './trace_store.js';
import { filter } from './trace_query.js';
import { plural } from './format.js';
import { name } from './shown_text.js';

export function runButtons(app) {
    const button = (text, kind, click) => h('button', { type: 'button', class: kind, hidden: true, on: { click } }, text);
    const buttons = {
        pause: button('Pause', null, () => app.act('pause')),
        continue: button('Continue', 'primary', () => app.act('continue')),
        scale: button('Scale…', null, () => askScale(app)),
        retry: button('Retry…', null, () => askRetry(app)),
        cancel: button('Cancel…', 'danger', () => askCancel(app)),
    };
    const element = h('div', { class: 'run-buttons' }, Object.values(buttons));
    return { element, show: (record) => show(app, buttons, record) };
}

function show(app, buttons, record) {
    const live = app.can.act && isLive(record);
    buttons.pause.hidden = !live || record.state === 'paused';
    buttons.continue.hidden = !live || record.state !== 'paused';
    buttons.scale.hidden = buttons.cancel.hidden = !live;
    buttons.retry.hidden = !app.can.act || live || !(record?.tasks?.dropped > 0);
}

function askCancel(app) {
    const now = h('input', { type: 'checkbox' });
    dialog('Cancel this run?', [
        h('p', {}, 'Running commands get SIGTERM. What is done stays done, and the run can be resumed.'),
        h('label', {}, now, ' Now: do not wait for the commands'),
    ], [{ text: 'Cancel the run', kind: 'danger', run: () => app.act('cancel', { now: now.checked }) }]);
}

function askScale(app) {
    const own = hasAgents(app.model.run);
    const jobs = h('input', { type: 'number', min: 1, max: 10000, placeholder: 'as it is' });
    const agents = h('input', { type: 'number', min: 0, max: 10000, placeholder: 'as it is' });
    const kind = h('input', { type: 'text', placeholder: 'only if there are several', autocomplete: 'off' });
    const field = (text, input) => h('label', { class: 'field' }, h('span', {}, text), input);
    dialog('Scale this run', [
        field('Local processes at once', jobs),
        own && field('Agents of its own', agents), own && field('Kind of these agents', kind),
        h('p', { class: 'muted' }, `With fewer than before, what runs goes on${own ? ', and agents end after their task' : ''}.`),
    ], [{ text: 'Scale', kind: 'primary', run: () => scale(app, jobs.value, agents.value, kind.value) }]);
}

// Agents of its own. Agents at a pool that it does not host are only known from its command line.
function hasAgents({ state, record }) {
    return Boolean(state?.agents) || (record?.options ?? []).some((option) => /^--agents?\b/.test(option));
}

function scale(app, jobs, agents, kind) {
    const body = {};
    if (jobs !== '') body.jobs = Number(jobs);
    if (agents !== '') body.agents = Number(agents);
    if (kind !== '') body.agent_kind = kind;
    if (Object.keys(body).length === 0) return app.notice('Give a number.', true), false;
    return app.act('scale', body).then((answer) => answer !== null);
}

// Which of the dropped tasks: all, or those of one step.
function askRetry(app) {
    const { run } = app.model;
    const dropped = filter(run.trace, { states: [STATE.dropped] });
    const bySteps = new Map();
    for (const row of dropped) bySteps.set(run.trace.step[row], (bySteps.get(run.trace.step[row]) ?? 0) + 1);
    const choice = h('select', {}, h('option', { value: '' }, `all: ${plural(dropped.length, 'task')}`),
        [...bySteps].map(([step, count]) => h('option', { value: step }, name(run.steps[step].name, 60).textContent + `: ${plural(count, 'task')}`)));
    dialog('Try dropped tasks again?', [
        h('p', {}, 'A new run takes over what is done, and tries these tasks again, each with all its retries.'),
        h('label', { class: 'field' }, h('span', {}, 'Dropped tasks'), choice),
    ], [{ text: 'Retry', kind: 'primary', run: () => retry(app, choice.value === '' ? {} : { step: run.steps[choice.value].name }) }]);
}

export async function retry(app, body) {
    const answer = await app.act('retry', body);
    if (answer === null) return false;
    const { record } = app.model.run;
    app.go({ view: 'graph', run: answer.run }, `The retry of ${record?.name || 'this run'} has begun: run ${answer.run.slice(0, 8)}.`);
    return true;
}
