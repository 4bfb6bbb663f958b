import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch, body } from './batches.mjs';
import { FLAG, NONE, ORIGIN, OUTCOME, STATE, Trace } from '../../libs/web/page/trace_store.js';

// A list of two tasks: the first fails once, succeeds, and has a `finally`; the second is dropped.
function small() {
    const trace = new Trace();
    trace.append(batch(0, [{ submitted: 100, step: 0 }]));
    trace.append(batch(1, [{ submitted: 200, parent: 0, step: 1, origin: 1 }, { submitted: 200, parent: 0, step: 1, origin: 1 }],
        [{ row: 0, started: 110, ended: 200 }]));
    trace.append(body(
        batch(3, [{ submitted: 300, parent: 0, step: 1, origin: 2, of: 1 }],
            [{ row: 1, started: 210, ended: 300, outcome: 2, reason: 5, usd: 0.5, tokens: 10, agent: 0, flags: 8 }], ['one (claude opus)']),
        batch(4, [{ submitted: 500, step: 1, origin: 3, of: 3 }],
            [{ row: 3, started: 310, ended: 500, usd: 0.25, tokens: 5, agent: 1, flags: 8 }], ['zwei ü (codex)']),
        batch(5, [], [{ row: 2, started: 220, ended: 600, outcome: 3, reason: 1 }])));
    return trace;
}

test('batches follow each other, in one body or several', () => {
    const trace = small();
    assert.equal(trace.position, '5.4');
    assert.deepEqual(trace.agents, ['one (claude opus)', 'zwei ü (codex)']);
    assert.deepEqual([...trace.order.subarray(0, trace.completions)], [0, 1, 3, 2]);
    assert.equal(trace.agent[3], 1);
    assert.equal(trace.ended[2], 600);
});

test('names of agents of any length', () => {
    const trace = new Trace();
    trace.append(body(batch(0, [{}], [], ['a', '', 'üü']), batch(1, [{}], [], ['four'])));
    assert.deepEqual(trace.agents, ['a', '', 'üü', 'four']);
});

test('what no report has told counts until it is replaced', () => {
    const trace = small();
    const steps = [{ name: 'List' }, { name: 'Ask' }];
    const used = (input, usd, priced) => [{ step: 'Ask', reports: 1, priced, usd, input_tokens: input, output_tokens: 2 }];
    trace.setUnreported(used(100, 0.25, 1), steps);
    assert.deepEqual([trace.total().tokens, trace.total().usd, trace.group(1, 0).tokens], [117, 1, 117]);
    trace.setUnreported(used(200, 0, 0), steps);
    assert.deepEqual([trace.total().tokens, trace.total().usd, trace.total().priced], [217, 0.75, 2]);
    trace.setUnreported([], steps);
    assert.deepEqual([trace.total().tokens, trace.total().reports], [15, 2]);
});

test('the retry of a finally is one', () => {
    const trace = new Trace();
    trace.append(batch(0, [{}, { origin: 3, of: 0 }, { origin: 2, of: 1 }], [{ row: 0 }, { row: 1, outcome: 2 }]));
    assert.equal(trace.final[2], 1);
    assert.equal(trace.group(0, 1).retries, 1);
});

test('a batch that does not continue the trace, or is none, is refused', () => {
    const trace = small();
    assert.throws(() => trace.append(batch(7, [{}])), /goes on at row 5/);
    assert.throws(() => trace.append(batch(5, [], [{ row: 2 }])), /cannot end/);
    assert.throws(() => trace.append(batch(5, [], [{ row: 99 }])), /cannot end/);
    assert.throws(() => trace.append(new ArrayBuffer(16)), /not a trace/);
});

test('retries are attempts of one task, which is known by the last', () => {
    const trace = small();
    assert.equal(trace.next[1], 3);
    assert.equal(trace.next[3], NONE);
    assert.equal(trace.attempt[3], 2);
    assert.deepEqual(trace.chain(1), [1, 3]);
    assert.deepEqual(trace.chain(3), [1, 3]);
    assert.equal(trace.costOf(3), 0.75);
    assert.equal(trace.tokensOf(3), 15);
    assert.ok(Number.isNaN(trace.costOf(2)));
});

test('states', () => {
    const trace = small();
    assert.deepEqual([0, 1, 2, 3, 4].map((row) => trace.stateOf(row)),
        [STATE.done, STATE.retried, STATE.dropped, STATE.done, STATE.waiting]);
    trace.setLive([{ id: 4, phase: 'finally', since: 700 }, { id: 2, phase: 'pool', since: 1 }, { id: 1000, phase: 'pool', since: 1 }]);
    assert.equal(trace.stateOf(4), STATE.running);
    assert.equal(trace.stateOf(2), STATE.dropped, 'what has ended is not running, although the state is older');
    assert.equal(trace.live.size, 1);
    assert.equal(trace.durationOf(4, 1000), 300);
    trace.append(batch(5, [], [{ row: 4, started: 700, ended: 900 }]));
    assert.equal(trace.live.size, 0);
    assert.equal(trace.durationOf(4), 200);
});

test('an open task of a Human step waits for a person, whether the run lives or not; its finally does not', () => {
    const trace = new Trace();
    trace.setSteps([{ action: 'Command' }, { action: 'Human' }]);
    trace.append(batch(0, [{ step: 0 }, { step: 1 }, { step: 1, origin: ORIGIN.finally }, { step: 1 }]));
    trace.setLive([{ id: 3, phase: 'pre', since: 1 }]);
    assert.deepEqual([0, 1, 2, 3].map((row) => trace.stateOf(row)), [STATE.waiting, STATE.human, STATE.waiting, STATE.running]);
});

test('sums by step and kind', () => {
    const trace = small();
    const { tasks, done, dropped, retries, attempts, usd, priced, reports, tokens, time, longest } = trace.group(1, 0);
    assert.deepEqual({ tasks, done, dropped, retries, attempts, usd, priced, reports, tokens, time, longest },
        { tasks: 2, done: 1, dropped: 1, retries: 1, attempts: 3, usd: 0.75, priced: 2, reports: 2, tokens: 15, time: 90 + 190 + 380, longest: 380 });
    assert.equal(trace.group(1, 1).tasks, 1);
    assert.equal(trace.total().open, 1);
    assert.equal(trace.total().tasks, 4);
    assert.equal(trace.total().longest, 380);
});

test('reused results and tasks past a bound are no attempts', () => {
    const trace = new Trace();
    trace.append(batch(0, [{}, {}], [{ row: 0, flags: FLAG.reused, started: 1, ended: 9 }, { row: 1, flags: FLAG.noAttempt, outcome: 3 }]));
    const { attempts, time, reused, done, dropped } = trace.group(0, 0);
    assert.deepEqual({ attempts, time, reused, done, dropped }, { attempts: 0, time: 0, reused: 1, done: 1, dropped: 1 });
});

test('in a sample, a retry whose first attempt was left out is a task', () => {
    const trace = new Trace();
    trace.append(batch(0, [{ origin: 2, of: NONE }, { origin: 2, of: 0 }], [{ row: 0, outcome: 2 }]));
    assert.equal(trace.group(0, 0).tasks, 1);
    assert.deepEqual(trace.chain(0), [0, 1]);
    const sums = { steps: [{ step: 'A', finally: false, tasks: 500, done: 400, dropped: 99, retried: 7, timed: 506, total_ms: 9, longest_ms: 3 }],
        usage: [{ step: 'A', kind: 'claude', model: null, reports: 9, priced: 3, usd: 1.5, input_tokens: 10, output_tokens: 1 }] };
    trace.setSums(sums, [{ name: 'A' }]);
    const { tasks, done, dropped, retries, usd, tokens, open } = trace.total();
    assert.deepEqual({ tasks, done, dropped, retries, usd, tokens, open }, { tasks: 500, done: 400, dropped: 99, retries: 7, usd: 1.5, tokens: 11, open: 1 });
});

test('ids that do not grow with the rows are found', () => {
    const growing = small();
    assert.equal(growing.rowOf(3), 3);
    assert.equal(growing.rowOf(77), NONE);
    const trace = new Trace();
    trace.append(batch(0, [{ id: 5 }, { id: 9 }, { id: 7 }]));
    assert.deepEqual([5, 9, 7, 6].map((id) => trace.rowOf(id)), [0, 1, 2, NONE]);
    trace.append(batch(3, [{ id: 4000000000 }, { id: 6 }]));
    assert.deepEqual([4000000000, 6].map((id) => trace.rowOf(id)), [3, 4]);
});

test('the trace grows over its first capacity', () => {
    const trace = new Trace();
    for (let i = 0; i < 50; ++i) {
        const first = i * 100;
        trace.append(batch(first, Array.from({ length: 100 }, (_, k) => ({ submitted: first + k, step: k % 3 })), [{ row: first, started: 1, ended: 2 }]));
    }
    assert.equal(trace.rows, 5000);
    assert.deepEqual([0, 1500, 4999].map((row) => trace.submitted[row]), [0, 1500, 4999]);
    assert.equal(trace.outcome[4900], OUTCOME.succeeded);
    assert.equal(trace.outcome[4901], OUTCOME.open);
    assert.equal(trace.total().tasks, 5000);
});
