import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from './batches.mjs';
import { STATE, Trace } from '../../libs/web/page/trace_store.js';
import { RowSet, countStates, filter, sort } from '../../libs/web/page/trace_query.js';
import { sortByKeys } from '../../libs/web/page/radix_sort.js';
import { TaskList } from '../../libs/web/page/task_list.js';
import { criteria, nextOrder, order } from '../../libs/web/page/task_filter.js';
import { isOld } from '../../libs/web/page/search_age.js';

const STEPS = [{ name: 'List' }, { name: 'Review' }, { name: '__proto__' }];

function trace() {
    const made = new Trace();
    made.append(batch(0, [
        { step: 0 }, { step: 1 }, { step: 1 }, { step: 1, origin: 2, of: 1 }, { step: 1, origin: 3, of: 3 }, { step: 2 },
    ], [
        { row: 0, started: 1000, ended: 1500 }, { row: 1, started: 1100, ended: 1900, outcome: 2, usd: 0.5 },
        { row: 2, started: 1050, ended: 1051, outcome: 3 }, { row: 3, started: 2000, ended: 2200, usd: 0.25 },
    ]));
    return made;
}

const rows = (found) => [...found];

test('filter: by step, kind, state, attempts and found rows', () => {
    const t = trace();
    assert.deepEqual(rows(filter(t)), [0, 2, 3, 4, 5], 'each task once, by its last row');
    assert.deepEqual(rows(filter(t, { step: 1 })), [2, 3, 4]);
    assert.deepEqual(rows(filter(t, { step: 1, final: true })), [4]);
    assert.deepEqual(rows(filter(t, { step: 1, final: false })), [2, 3]);
    assert.deepEqual(rows(filter(t, { states: [STATE.dropped] })), [2]);
    assert.deepEqual(rows(filter(t, { states: [STATE.done, STATE.waiting] })), [0, 3, 4, 5]);
    assert.deepEqual(rows(filter(t, { retried: true })), [3]);
    assert.deepEqual(rows(filter(t, { found: new RowSet([1, 2]) })), [2, 3], 'an attempt before the last one counts');
    assert.deepEqual(rows(filter(t, { found: new RowSet([]) })), []);
});

test('sort: what has no value is last in both directions, and equal rows keep their order', () => {
    const t = trace();
    const all = filter(t);
    assert.deepEqual(rows(sort(t, all, 'start', false)), [0, 2, 3, 4, 5]);
    assert.deepEqual(rows(sort(t, all, 'start', true)), [3, 2, 0, 4, 5]);
    assert.deepEqual(rows(sort(t, all, 'duration', true)), [0, 3, 2, 4, 5]);
    assert.deepEqual(rows(sort(t, all, 'cost', true)), [3, 0, 2, 4, 5]);
    assert.deepEqual(rows(sort(t, all, 'attempts', true)), [3, 0, 2, 4, 5]);
    t.setLive([{ id: 5, phase: 'command', since: 3000 }]);
    assert.deepEqual(rows(sort(t, all, 'duration', true, 9000)), [5, 0, 3, 2, 4]);
});

test('counts of states, of all and of a step', () => {
    const counts = countStates(trace());
    assert.equal(counts[STATE.done], 2);
    assert.equal(counts[STATE.waiting], 2);
    assert.equal(countStates(trace(), 1)[STATE.dropped], 1);
});

test('radix sort agrees with the sort of the language', () => {
    let seed = 1;
    const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
    const kinds = [() => Math.floor(random() * 5), () => random() * 1e-3, () => 1.7e12 + Math.floor(random() * 4e9), () => -random() * 1e6,
        () => random() < 0.3 ? NaN : Math.floor(random() * 1e5), () => 7];
    for (const kind of kinds) {
        for (const descending of [false, true]) {
            const keys = Float64Array.from({ length: 3000 }, kind);
            const unsorted = Uint32Array.from(keys, (_, i) => i);
            const sorted = sortByKeys(unsorted, keys, descending);
            const value = (row) => Number.isNaN(keys[row]) ? Infinity : descending ? -keys[row] : keys[row];
            const expected = [...unsorted].sort((a, b) => value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a - b);
            assert.deepEqual(rows(sorted).map(value), expected.map(value));
            if (Number.isInteger(keys[0])) assert.deepEqual(rows(sorted), expected, 'stable');
        }
    }
    assert.deepEqual(rows(sortByKeys(new Uint32Array(0), new Float64Array(0), true)), []);
});

test('the query of the address', () => {
    assert.equal(criteria({ step: 'Review' }, STEPS).step, 1);
    assert.equal(criteria({ step: 'Review' }, STEPS).final, false);
    assert.equal(criteria({ step: 'Review', kind: 'finally' }, STEPS).final, true);
    assert.equal(criteria({ step: '__proto__' }, STEPS).step, 2);
    assert.equal(filter(trace(), criteria({ step: 'gone' }, STEPS)).length, 0, 'a step that is not there has no tasks');
    assert.equal(criteria({}, STEPS).states, null);
    assert.deepEqual(criteria({ state: 'dropped' }, STEPS).states, [STATE.dropped]);
    assert.equal(criteria({ state: 'nonsense' }, STEPS).states, null);
    assert.deepEqual(order({ sort: '-cost' }), { key: 'cost', descending: true });
    assert.equal(order({ sort: 'constructor' }), null);
    assert.deepEqual([nextOrder({}, 'cost'), nextOrder({ sort: '-cost' }, 'cost'), nextOrder({ sort: 'cost' }, 'cost')], ['-cost', 'cost', '']);
});

test('a list of tasks is made anew only when it has not taken much of the time, or when it is asked for', () => {
    let now = 0;
    const clock = () => now += 10;  // each look at the clock is 10 ms later: making the list takes 10 ms
    const list = new TaskList();
    const wanted = { criteria: {}, order: null, found: null };
    assert.equal(list.make(trace(), wanted, clock, 0), true);
    assert.equal(list.rows.length, 5);
    assert.equal(list.make(trace(), wanted, clock, 0), false);
    assert.equal(list.make(trace(), wanted, clock, 0, true), true);
    now += 1000;
    assert.equal(list.make(trace(), wanted, clock, 0), true);
});

test('a search is repeated when the run has grown, but not at once, and never while one is under way', () => {
    const found = { text: 'x', position: '5.3', asked: 0, answered: 1000 };
    assert.deepEqual([isOld(found, '5.4', 4999), isOld(found, '5.4', 5000), isOld(found, '5.3', 99999)], [false, true, false]);
    assert.equal(isOld({ ...found, asked: 900 }, '6.3', 3000), true);
    assert.equal(isOld({ ...found, answered: NaN }, '6.3', 99999), false);
    assert.equal(isOld({ ...found, text: '' }, '6.3', 99999), false);
});
