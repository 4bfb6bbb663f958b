import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from './batches.mjs';
import { matches } from '../../libs/web/page/run_filter.js';
import { Rates } from '../../libs/web/page/rates.js';
import { summarize } from '../../libs/web/page/run_summary.js';
import { phasesOf } from '../../libs/web/page/attempt_view.js';
import { Trace } from '../../libs/web/page/trace_store.js';

test('runs are filtered by state and by each word of the text', () => {
    const run = { id: '5a3e', name: 'Nightly', workflow: 'review.jsonc', directory: '/home/me', state: 'paused' };
    assert.ok(matches(run, {}));
    assert.ok(matches(run, { state: 'living', text: 'NIGHT review' }));
    assert.ok(!matches(run, { state: 'finished' }));
    assert.ok(!matches(run, { text: 'night other' }));
    assert.ok(matches(run, { state: 'nonsense' }));
    const shown = (filter) => ['running', 'paused', 'waiting', 'finished', 'failed', 'interrupted', 'lost', 'resumed'].filter((state) =>
        matches({ ...run, state }, { state: filter }));
    assert.deepEqual([shown('interrupted'), shown('lost'), shown('living')], [['interrupted'], ['lost'], ['running', 'paused']]);
});

test('rates of the last half minute, of running runs', () => {
    const rates = new Rates();
    const at = (done, state = 'running', waiting = 0) => [{ id: 'a', state, tasks: { done, dropped: 0, left: 100, waiting_for_human: waiting } }];
    rates.observe(at(0), 0);
    rates.observe(at(20), 100);
    assert.ok(Number.isNaN(rates.of('a')), 'the first record may be old');
    rates.observe(at(24), 2100);
    assert.ok(Number.isNaN(rates.of('a')), 'two changes are too near to each other');
    rates.observe(at(30), 5100);
    assert.equal(rates.of('a'), 2);
    for (let second = 11; second <= 60; ++second) rates.observe(at(30 + 5 * (second - 10)), second * 1000);
    assert.equal(rates.of('a'), 5);
    rates.observe(at(300, 'running', 100), 61000);
    assert.ok(Number.isNaN(rates.of('a')), 'people alone are waited for');
    rates.observe(at(300), 62000);
    rates.observe(at(300, 'finished'), 61000);
    assert.ok(Number.isNaN(rates.of('a')));
});

function run(state, told) {
    const trace = new Trace();
    trace.append(batch(0, [{}, {}, {}, {}], [{ row: 0, started: 0, ended: 5000, usd: 0.5, flags: 8 }, { row: 1, outcome: 3, started: 0, ended: 7000, flags: 8 }]));
    return { record: { state, started: 1000 }, trace, state: told, steps: [{ name: 'A', action: 'Command' }] };
}

test('a living run: what it tells of itself', () => {
    const told = { rate: 2, tasks: { waiting: 1, running: 1, waiting_for_human: 0 }, usage: { usd: 0.75 },
        steps: [{ waiting: 1, running: 1, eta_seconds: 30 }, { waiting: 0, running: 0, eta_seconds: null }] };
    const sums = summarize(run('running', told), 61000);
    assert.deepEqual([sums.tasks, sums.done, sums.dropped, sums.running, sums.waiting, sums.human], [4, 1, 1, 1, 1, 0]);
    assert.deepEqual([sums.elapsed, sums.rate, sums.eta, sums.usd, sums.atLeast], [60000, 2, 30000, 0.75, true]);
    told.steps[0].eta_seconds = null;
    assert.ok(Number.isNaN(summarize(run('running', told), 61000).eta), 'the tasks of a step may lead to more');
    told.steps[0].eta_seconds = 30;
    told.paused = true;
    assert.ok(Number.isNaN(summarize(run('paused', told), 61000).eta));
});

test('a run that has ended, or was killed', () => {
    const lost = run('lost', { rate: 2, tasks: { running: 2 }, steps: [] });
    const sums = summarize(lost, 61000);
    assert.deepEqual([sums.running, sums.waiting, sums.human, sums.elapsed, sums.usd], [0, 2, 0, 6000, 0.5]);
    assert.ok(Number.isNaN(sums.rate) && Number.isNaN(sums.eta));
    lost.steps[0].action = 'Human';
    assert.deepEqual([summarize(lost, 61000).waiting, summarize(lost, 61000).human], [0, 2], 'open tasks of people wait for them');
});

test('what is at the pool is not running, and while people alone are waited for there is no rate', () => {
    const told = { rate: 2, tasks: { waiting: 0, running: 2, at_pool: 1, waiting_for_human: 0 }, steps: [{ waiting: 0, running: 2, eta_seconds: 9 }] };
    const some = () => {
        const { waiting, pool, running, human, rate, eta } = summarize(run('running', told), 61000);
        return [waiting, pool, running, human, rate, eta];
    };
    assert.deepEqual(some(), [0, 1, 1, 0, 2, 9000]);
    told.tasks = { running: 2, at_pool: 0, waiting_for_human: 2 };
    assert.deepEqual(some(), [0, 0, 0, 2, NaN, NaN]);
});

test('the phases of an attempt', () => {
    const times = { submitted: 0, started: 100, ended: 1100, measured: { pre_ms: 200, post_ms: 300 } };
    assert.deepEqual(phasesOf(times, NaN), [['waited', 100, 'waited'], ['pre', 200, 'pre'], ['action', 500, 'action'], ['post', 300, 'post']]);
    assert.deepEqual(phasesOf({ ...times, ended: null, measured: null }, 400), [['waited', 100, 'waited'], ['action', 300, 'so far']]);
    assert.deepEqual(phasesOf({ submitted: 0, started: null, ended: null, measured: null }, 400), []);
});
