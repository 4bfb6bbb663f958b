// The lanes of a timeline as a table: for those who do not see the picture, and for exact numbers.

import { fill, h } from './dom.js';
import { name } from './shown_text.js';
import { laneTitle } from './timeline_tip.js';
import * as format from './format.js';

const COLUMNS = ['attempts', 'failed', 'dropped', 'running or at pool', 'side by side', 'time', 'average time'];

export function timelineTable() {
    const body = h('tbody');
    const table = h('table', { class: 'plain-table' }, h('caption', {}, 'Attempts'),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'lane'),
            COLUMNS.map((title) => h('th', { scope: 'col', class: 'number' }, title)))), body);
    const element = h('details', { class: 'timeline-table' }, h('summary', {}, 'As a table'), h('div', { class: 'table-room' }, table));
    return { element, isOpen: () => element.open, show: (run, lanes) =>
        fill(body, lanes.filter((lane) => lane.attempts || lane.live.length).map((lane) => row(run, lane))) };
}

const runningIn = (lane) => lane.live.filter(({ phase }) => phase !== 'human').length;

function row(run, lane) {
    const number = (count) => (count ? format.count(count) : '');
    const depth = lane.sublanes === null ? 'more than 256' : number(lane.sublanes.length);
    const cells = [number(lane.attempts), number(lane.failed), number(lane.dropped), number(runningIn(lane)), depth,
        format.duration(lane.busy),
        lane.attempts ? format.duration(lane.busy / lane.attempts) : ''];
    return h('tr', {}, h('th', { scope: 'row' }, name(laneTitle(run, lane), 120)),
        cells.map((text) => h('td', { class: 'number' }, text)));
}

// In words what the picture shows; `old` attempts ended before the run began.
export function summaryOf(lanes, whole, old) {
    const sum = (key) => lanes.reduce((all, lane) => all + lane[key], 0);
    const running = lanes.reduce((all, lane) => all + runningIn(lane), 0);
    const used = lanes.filter((lane) => lane.attempts).length;
    return `${format.plural(sum('attempts'), 'attempt')} in ${format.plural(used, 'lane')} over ` +
        `${format.duration(whole.to - whole.from)}; ${format.count(sum('failed'))} failed, ${format.count(sum('dropped'))} of them ` +
        `for good; ${format.count(running)} running or at the pool.` +
        (old ? ` ${format.plural(old, 'attempt')} of these ${old === 1 ? 'is' : 'are'} from before the start of this run.` : '');
}
