import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Details } from '../../libs/web/page/report_details.js';

const task = (row, value, more = {}) => ({ row, id: row + 1, value, attempts: [{ response: null, failure: null, ...more }] });
const TASKS = [task(2, '{"file": "Ä.cpp"}'), task(5, '1.0', { failure: { message: 'Exit code 3' } }), task(100000, '"quote \\" here"', { response: '[]' })];
const bytes = (text) => new TextEncoder().encode(text);
const details = new Details(bytes(TASKS.map((one) => JSON.stringify(one) + '\n').join('')));

test('tasks are found by their rows', () => {
    assert.equal(details.lines, 3);
    for (const one of TASKS) assert.deepEqual(details.task(one.row), one);
    for (const row of [0, 3, 99, 100001]) assert.equal(details.task(row), null);
    assert.equal(new Details(bytes('')).task(0), null);
    assert.equal(new Details(bytes(JSON.stringify(TASKS[0]))).task(2).row, 2, 'without a newline at the end');
});

test('search looks at values, responses and failures, and at nothing else', async () => {
    const search = async (text, most) => details.search(text, async () => {}, most);
    assert.deepEqual(await search('ä.CPP'), { rows: [2], more: false });
    assert.deepEqual(await search('exit CODE'), { rows: [5], more: false });
    assert.deepEqual(await search('[]'), { rows: [100000], more: false });
    assert.deepEqual(await search('quote \\"'), { rows: [100000], more: false });
    assert.deepEqual(await search('attempts'), { rows: [], more: false });
    assert.deepEqual(await search('', 2), { rows: [2, 5], more: true });
});
