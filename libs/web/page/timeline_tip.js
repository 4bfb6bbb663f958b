// What the timeline says of an attempt, or of a moment in a lane.

import { NO_AGENT, NONE, OUTCOME, REASONS, FLAG } from './trace_store.js';
import { averages } from './sorted_times.js';
import { plain } from './text.js';
import { sinceText } from './timeline_window.js';
import * as format from './format.js';

const OUTCOMES = { [OUTCOME.succeeded]: 'done', [OUTCOME.retried]: 'failed, and tried again', [OUTCOME.dropped]: 'dropped' };

// Lines of text: the first is a heading.
export function attemptLines(run, row, now) {
    const { trace, steps } = run;
    const step = plain(steps[trace.step[row]]?.name ?? '?', 60) + (trace.final[row] ? ' finally' : '');
    const heading = `task ${trace.id[row]} ${step}` + (trace.attempt[row] > 1 ? `, attempt ${trace.attempt[row]}` : '');
    const live = trace.live.get(row);
    const reason = trace.reason[row] ? `: ${REASONS[trace.reason[row]]}` : '';
    return [heading,
        live ? liveText(live) : OUTCOMES[trace.outcome[row]] + reason + (trace.flags[row] & FLAG.reused ? ', reused' : ''),
        [format.duration(trace.durationOf(row, now)), phases(trace, row)].filter(Boolean).join(' · '),
        [`from ${sinceText(trace.startOf(row) - startOf(run))}`, waited(trace, row)].filter(Boolean).join(' · '),
        trace.agent[row] === NO_AGENT ? '' : plain(agentName(run, trace.agent[row]), 80),
        live?.activity ? plain(live.activity, 80) : '',
    ].filter(Boolean);
}

function liveText({ phase }) {
    return phase === 'human' ? 'waits for a person' : `running: ${phase}`;
}

// The record of a run that was resumed says when that was; its log begins before.
export function startOf({ trace, record }) {
    return trace.rows > 0 && trace.submitted[0] >= 0 ? trace.submitted[0] : record?.started ?? 0;
}

function phases(trace, row) {
    if (trace.outcome[row] === OUTCOME.open) return '';
    const known = [['pre', trace.pre[row]], ['post', trace.post[row]]].filter(([, ms]) => ms !== NONE && ms !== 0);
    return known.map(([phase, ms]) => `${phase} ${format.duration(ms)}`).join(', ');
}

function waited(trace, row) {
    const ms = trace.startOf(row) - trace.submitted[row];
    return ms >= 1 ? `waited ${format.duration(ms)}` : '';
}

// What a lane is of, as text.
export function laneTitle(run, lane) {
    if (lane.step >= 0) {
        const step = run.steps[lane.step];
        return (step?.name ?? '?') + (lane.final ? (step?.gather ? ' gather' : ' finally') : '');
    }
    const others = { commands: 'Commands and hooks', people: 'people', none: 'agent not known' };
    return others[lane.agent] ?? agentName(run, lane.agent);
}

function agentName({ trace, info }, agent) {
    return trace.agents[agent] ?? info.agents[agent] ?? '?';
}

export function laneAbout(lane) {
    const failed = lane.failed ? `${format.short(lane.failed)} failed` : '';
    return lane.attempts === 0 ? '' : [format.plural(lane.attempts, 'attempt'), failed].filter(Boolean).join(', ');
}

// Of a lane whose attempts are too many to be shown one by one.
export function curveLines(run, lane, time, width) {
    const { starts, ends, failures } = lane.dense;
    const [running] = averages([starts], [ends], time - width, time + width, new Float64Array(1));
    const failed = failures.countUpTo(time + width) - failures.countUpTo(time - width);
    const lines = [plain(laneTitle(run, lane), 100), sinceText(time - startOf(run)), `${amount(running)} at once`];
    return failed ? [...lines, `${format.count(failed)} failed here`] : lines;
}

// Of the whole run at a moment: charts as in timeline_chart.js.
export function momentLines(run, time, charts, x) {
    const valueAt = (values) => values[Math.max(0, Math.min(values.length - 1, x))];
    return [sinceText(time - startOf(run)), ...charts.map(({ label, values }) => `${amount(valueAt(values))} ${label}`)];
}

const amount = (n) => (n < 9.95 && Math.abs(n - Math.round(n)) > 0.05 ? n.toFixed(1) : format.count(n));
