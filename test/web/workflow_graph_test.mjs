import assert from 'node:assert/strict';
import test from 'node:test';

import { EmittedSteps, stepCounts } from '../../libs/web/page/step_counts.js';
import { graphOf, readingOrder } from '../../libs/web/page/workflow_graph.js';

const NONE = 0xFFFFFFFF;
const step = (name, next = [], more = {}) => ({ name, next, action: 'Command', finally: false, gather: null, ...more });

test('the graph has a box for each step, and one arrow for a pair of steps', () => {
    const steps = [step('A', ['B', 'A'], { gather: { into: 'C', of: ['B'] } }), step('B', ['C', 'missing'], { finally: true }),
        step('C')];
    const graph = graphOf(steps, 'A', [[1, 0], [1, 2], [1, 9]]);
    assert.equal(graph.nodes.length, 3);
    assert.ok(graph.nodes[1].height > graph.nodes[2].height, 'there is room for the finally');
    assert.deepEqual(graph.edges, [{ from: 0, to: 1, kind: 'next' }, { from: 0, to: 0, kind: 'next' }, { from: 1, to: 2, kind: 'next' },
        { from: 0, to: 2, kind: 'gather' }, { from: 1, to: 0, kind: 'emits' }]);
    assert.equal(graphOf(steps, 'C', []).entry, 2);
    assert.equal(graphOf(steps, undefined, []).entry, 0);
});

test('steps are read rank by rank', () => {
    assert.deepEqual(readingOrder([{ rank: 1, x: 0, y: 9 }, { rank: 0, x: 0, y: 0 }, { rank: 1, x: 0, y: 3 }]), [1, 2, 0]);
});

test('what a finally emits is seen in the trace, also in pieces', () => {
    const trace = { rows: 2, parent: [NONE, 0, 1, 1, 3, 1], final: [0, 1, 0, 0, 0, 1], step: [0, 0, 2, 2, 1, 0] };
    const emitted = new EmittedSteps();
    assert.equal(emitted.take(trace), false);
    trace.rows = 6;
    assert.equal(emitted.take(trace), true);
    assert.deepEqual([...emitted.pairs.values()], [[0, 2]]);
    assert.equal(emitted.take(trace), false);
});

function runOf(state, live) {
    const sums = [[{ tasks: 10, done: 4, dropped: 1, retries: 2 }, { tasks: 4, done: 0, dropped: 0, retries: 0 }],
        [{ tasks: 3, done: 3, dropped: 0, retries: 0 }, { tasks: 0, done: 0, dropped: 0, retries: 0 }]];
    const trace = { group: (index, final) => sums[index][final], live: new Map(live.map(([, , , phase = 'action'], row) => [row, { phase }])),
        step: live.map(([at]) => at), final: live.map(([, final]) => final),
        stateOf: (row) => live[row][2] };
    return { steps: [step('A'), step('B')], trace, state };
}

test('the counts of a step: what ended is of the trace, what runs is what the run tells', () => {
    const rows = [{ row: 'A', running: 4, at_pool: 1, waiting_for_human: 1 }, { row: 'A (finally)', running: 9 }];
    const [a, b] = stepCounts(runOf({ steps: rows }, []));
    const some = ({ waiting, pool, running, human, done, dropped }) => ({ waiting, pool, running, human, done, dropped });
    assert.deepEqual(some(a.own), { waiting: 1, pool: 1, running: 2, human: 1, done: 4, dropped: 1 });
    assert.deepEqual(some(a.final), { waiting: 0, pool: 0, running: 4, human: 0, done: 0, dropped: 0 });
    assert.deepEqual(some(b.own), { waiting: 0, pool: 0, running: 0, human: 0, done: 3, dropped: 0 });
});

test('what the run told a moment ago is never more than what is open by now', () => {
    const [a] = stepCounts(runOf({ steps: [{ row: 'A', running: 30, waiting_for_human: 9 }] }, []));
    assert.deepEqual([a.own.human, a.own.running, a.own.waiting], [5, 0, 0]);
});

test('without that, it is what is known to run', () => {
    const [a] = stepCounts(runOf(null, [[0, 0, 1], [0, 0, 2], [0, 1, 1], [0, 0, 1, 'pool']]));
    assert.deepEqual([a.own.running, a.own.human, a.own.pool, a.own.waiting, a.final.running], [1, 1, 1, 2, 1]);
});

test('of a run that tells nothing, what is open at a Human step waits for people', () => {
    const run = runOf(null, []);
    run.steps[0].action = 'Human';
    const [a] = stepCounts(run);
    assert.deepEqual([a.own.human, a.own.running, a.own.waiting, a.final.human], [5, 0, 0, 0]);
});
