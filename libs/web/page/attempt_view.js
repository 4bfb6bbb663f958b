// One attempt of a task: how it ended, where its time went, who did it at what cost, its error and its response.

import { h } from './dom.js';
import { block, name } from './shown_text.js';
import { stateMark } from './state_mark.js';
import { valueView } from './value_view.js';
import * as format from './format.js';

const OUTCOME_STATES = { succeeded: 'done', retried: 'retried', dropped: 'dropped' };

// `attempt`: of GET …/tasks/ROW; `following`: the attempt after it, or undefined; `live`: what the run reports of it, or undefined.
export function attemptView(app, attempt, following, live) {
    const state = attempt.outcome ? OUTCOME_STATES[attempt.outcome] : live?.phase === 'human' ? 'human' : live || attempt.started ? 'running' : 'waiting';
    return h('article', { class: 'attempt', 'aria-label': `Attempt ${attempt.attempt}` },
        h('div', { class: 'attempt-head' }, h('h4', {}, `Attempt ${attempt.attempt}`), stateMark(state),
            h('span', { class: 'muted' }, endText(attempt, following))),
        timesOf(app, attempt, live),
        attempt.failure && failure(attempt.failure),
        facts(attempt, live),
        attempt.response === null && attempt.outcome === 'succeeded' && h('p', { class: 'muted' }, 'Its response is not shown here: the tasks in it are the children.'),
        attempt.response !== null && h('details', { open: !attempt.failure },
            h('summary', {}, attempt.failure ? 'What it had answered' : 'Response'),
            valueView(app, attempt.response, `Response of attempt ${attempt.attempt}`, attempt.response_left_out).element));
}

const SHOWN = 20;  // attempts, of tasks that were tried for long

// All attempts of a task, the last one first.
export function attemptList(app, attempts, live) {
    const element = h('div', { class: 'attempts' });
    const add = (from, count) => {
        for (let i = from; i >= 0 && i > from - count; --i) {
            element.append(attemptView(app, attempts[i], attempts[i + 1], attempts[i].ended === null ? live : undefined));
        }
        if (from < count) return;
        const more = h('button', { type: 'button', class: 'more', on: { click: () => {
            more.remove();
            add(from - count, 10 * SHOWN);
        } } }, `Show more (${format.count(from - count + 1)} left)`);
        element.append(more);
    };
    add(attempts.length - 1, SHOWN);
    return element;
}

function endText(attempt, following) {
    if (attempt.reused) return 'reused';
    if (attempt.outcome === 'retried') return following ? `failed, again as task ${following.id}` : 'failed, tried again';
    return `task ${attempt.id}`;
}

// The phases as a bar and in numbers.
function timesOf(app, attempt, live) {
    const phases = phasesOf(attempt, live ? app.now() : NaN);
    const sum = phases.reduce((total, [, ms]) => total + ms, 0);
    if (!phases.length) return null;
    const parts = phases.map(([kind, ms]) => h('span', { class: `phase ${kind}`, vars: { share: sum ? ms / sum : 1 } }));
    return [h('div', { class: 'phases', 'aria-hidden': 'true' }, parts),
        h('ul', { class: 'phase-list' }, phases.map(([kind, ms, title]) => h('li', { class: `phase-${kind}` }, title, ' ', h('b', {}, format.duration(ms)))))];
}

// [[class, ms, title]] of what is known, `now` if it goes on.
export function phasesOf({ submitted, started, ended, measured }, now) {
    const found = [];
    if (submitted !== null && started !== null) found.push(['waited', started - submitted, 'waited']);
    const whole = (ended ?? now) - started;
    if (started === null || !(whole >= 0)) return found;
    const [pre, post] = [measured?.pre_ms, measured?.post_ms].map((ms) => ms ?? 0);
    if (pre) found.push(['pre', pre, 'pre']);
    found.push(['action', Math.max(0, whole - pre - post), pre || post ? 'action' : ended === null ? 'so far' : 'took']);
    if (post) found.push(['post', post, 'post']);
    return found;
}

function failure({ reason, message, message_left_out: leftOut, exit_code: code, signal, hook }) {
    const details = [hook && `${hook} hook`, code !== null && code !== undefined && `exit code ${code}`, signal && `signal ${signal}`].filter(Boolean);
    return h('div', { class: 'failure' },
        h('div', { class: 'failure-head' }, h('b', {}, reason), details.length > 0 && h('span', { class: 'muted' }, details.join(', '))),
        block(message ?? ''), leftOut > 0 && h('p', { class: 'muted' }, `The report leaves out ${format.size(leftOut)} more.`));
}

function facts(attempt, live) {
    const { report, measured } = attempt;
    const rows = [
        ['submitted', format.exactTime(attempt.submitted ?? NaN)], ['started', format.exactTime(attempt.started ?? NaN)],
        ['ended', format.exactTime(attempt.ended ?? NaN)],
        ['now', live && [live.phase, live.activity].filter(Boolean).join(' · ')],
        ['agent', report && [report.agent, report.kind, report.model].filter(Boolean).join(' ')],
        ['tokens', report && tokens(report)],
        ['cost', report && format.dollars(report.usd ?? NaN)],
        ['turns', report && [report.turns, report.repairs && format.plural(report.repairs, 'repair')].filter(Boolean).join(', ')],
        ['session', report?.session], ['transcript', report?.transcript],
        ['CPU time', format.duration(measured?.cpu_ms ?? NaN)], ['peak memory', format.size(measured?.peak_bytes ?? NaN)],
        ['reused from', attempt.reused && `run ${attempt.reused.run}, task ${attempt.reused.task}`],
        ['answered by', attempt.answered_by],
        ['response', attempt.lenient && 'taken out of the text around it'],
    ];
    return h('dl', { class: 'facts' }, rows.filter(([, text]) => text).map(([title, text]) =>
        h('div', {}, h('dt', {}, title), h('dd', {}, name(String(text), 300)))));
}

function tokens({ input_tokens: input = 0, cached_tokens: cached = 0, output_tokens: output = 0 }) {
    return `${format.count(input)} in${cached ? ` (${format.count(cached)} cached)` : ''}, ${format.count(output)} out`;
}
