import assert from 'node:assert/strict';
import test from 'node:test';

import { Selection } from '../../libs/web/page/timeline_selection.js';
import { attemptLines, curveLines, laneAbout, laneTitle, momentLines, startOf } from '../../libs/web/page/timeline_tip.js';
import { Sublane } from '../../libs/web/page/timeline_sublane.js';
import { SortedTimes } from '../../libs/web/page/sorted_times.js';

const NONE = 0xFFFFFFFF;

// Rows 0 to 2 are on the first line, 3 on the second, 4 (which runs) too; 5 is in another lane.
function scene() {
    const trace = { rows: 6, started: [0, 20, 40, 10, NaN, 30], ended: [10, 30, 60, 50, NaN, 70],
        live: new Map([[4, { since: 55, phase: 'pool' }]]),
        startOf: (row) => (row === 4 ? 55 : trace.started[row]) };
    const line = (...rows) => {
        const sublane = new Sublane(trace);
        for (const row of rows) sublane.push(row, 0);
        return sublane;
    };
    const first = { key: 0, sublanes: [line(0, 1, 2), line(3)], live: [{ row: 4, since: 55, sublane: 1 }] };
    const second = { key: 2, sublanes: [line(5)], live: [] };
    const placed = [{ lane: first, top: 0, height: 40, row: 14, mode: 'bars' },
        { lane: { key: 1, sublanes: null, live: [] }, top: 40, height: 56, mode: 'curve' },
        { lane: second, top: 96, height: 26, row: 14, mode: 'bars' }];
    return { trace, placed, selection: new Selection(trace), window: { from: 0, to: 100 } };
}

test('an attempt is found on its line, also one that runs', () => {
    const { placed, selection } = scene();
    const find = (sublane, time, slack) => selection.find({ placed: placed[0], sublane }, time, slack);
    assert.equal(find(0, 25, 0), 1);
    assert.equal(find(0, 35, 2), -1);
    assert.equal(find(0, 36, 5), 2);
    assert.equal(find(1, 70, 0), 4);
    assert.equal(find(-1, 25, 100), -1);
});

test('the choice moves along a line, and stays at its ends', () => {
    const { placed, selection, window } = scene();
    selection.choose({ placed: placed[0], sublane: 0 }, 1);
    const along = (by) => (selection.along(placed, by, window), selection.row);
    assert.deepEqual([along(1), along(1), along(-1), along(-1), along(-1)], [2, 2, 1, 0, 0]);
    selection.choose({ placed: placed[0], sublane: 1 }, 3);
    assert.deepEqual([along(1), along(1), along(-1)], [4, 4, 3]);
});

test('the choice moves to the next line at the same time, over lanes without lines', () => {
    const { placed, selection, window } = scene();
    const across = (by) => (selection.across(placed, by, window), selection.row);
    assert.deepEqual([across(1), across(1), across(1), across(1)], [2, 3, 5, 5]);
    assert.deepEqual([across(-1), across(-1)], [3, 1]);
    selection.clear();
    assert.equal(selection.row, -1);
    assert.equal(across(-1), 5, 'upwards, it begins below');
});

test('what is chosen has a frame, until its lane shows no lines', () => {
    const { placed, selection } = scene();
    assert.equal(selection.frame(placed, 100), null);
    selection.choose({ placed: placed[0], sublane: 1 }, 4);
    assert.deepEqual(selection.frame(placed, 100), { from: 55, to: 100, y: 20, height: 14 });
    placed[0].mode = 'curve';
    assert.equal(selection.frame(placed, 100), null);
});

const run = {
    steps: [{ name: 'A\u202E', gather: { into: 'B', of: [] } }, { name: 'B' }], record: { started: 900 }, info: { agents: [] },
    trace: { rows: 3, submitted: [1000, 1000, 1000], started: [2000, NaN, 3000], ended: [5000, NaN, 4000], step: [0, 1, 0],
        final: [0, 0, 1], id: [7, 8, 9], attempt: [1, 2, 1],
        outcome: [2, 0, 1], reason: [1, 0, 0], flags: [0, 0, 1], pre: [250, NONE, NONE], post: [0, NONE, NONE],
            agent: [0, 0xFFFF, 0xFFFF], agents: ['claude-1'],
        live: new Map([[1, { since: 4000, phase: 'pool', activity: 'reads' }]]),
        startOf: (row) => (row === 1 ? 4000 : run.trace.started[row]),
            durationOf: (row, now) => (row === 1 ? now - 4000 : run.trace.ended[row] - run.trace.started[row]) },
};

test('what is said of an attempt', () => {
    assert.deepEqual(attemptLines(run, 0, 9000), ['task 7 A[U+202E]', 'failed, and tried again: Timeout', '3.0 s · pre 250 ms',
        'from 0:01 · waited 1.0 s', 'claude-1']);
    assert.deepEqual(attemptLines(run, 1, 9000), ['task 8 B, attempt 2', 'running: pool', '5.0 s', 'from 0:03 · waited 3.0 s',
        'reads']);
    assert.deepEqual(attemptLines(run, 2, 9000).slice(0, 2), ['task 9 A[U+202E] finally', 'done, reused']);
    assert.equal(startOf(run), 1000);
});

test('what is said of lanes and moments', () => {
    assert.equal(laneTitle(run, { step: 0, final: 1, agent: -1 }), 'A\u202E gather');
    assert.deepEqual(['commands', 'people', 'none', 0, 5].map((agent) => laneTitle(run, { step: -1, agent })),
        ['Commands and hooks', 'people', 'agent not known', 'claude-1', '?']);
    assert.equal(laneAbout({ attempts: 1, failed: 0 }), '1 attempt');
    assert.equal(laneAbout({ attempts: 20, failed: 2 }), '20 attempts, 2 failed');
    const times = (...all) => {
        const sorted = new SortedTimes(0);
        sorted.add(Float64Array.from(all));
        return sorted;
    };
    const dense = { starts: times(1000, 1000), ends: times(3000, 2500), failures: times(2500) };
    assert.deepEqual(curveLines(run, { step: 1, final: 0, dense }, 2500, 500), ['B', '0:01', '1.5 at once', '1 failed here']);
    assert.deepEqual(momentLines(run, 61000, [{ label: 'running', values: [3, 4.26] }], 1), ['1:00', '4.3 running']);
});
