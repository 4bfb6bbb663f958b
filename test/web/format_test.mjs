import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as format from '../../libs/web/page/format.js';

const table = (f, rows) => rows.forEach(([value, text]) => assert.equal(f(value), text, String(value)));

test('durations', () => table(format.duration, [
    [0, '0 ms'], [0.4, '0 ms'], [412, '412 ms'], [999.4, '999 ms'], [999.6, '1.0 s'], [4200, '4.2 s'], [59949, '59.9 s'], [59950, '1 min'],
    [200000, '3 min 20 s'], [3599400, '59 min 59 s'], [3599600, '1 h'], [7500000, '2 h 5 min'], [86400000, '1 d'], [273600000, '3 d 4 h'],
    [-5, '0 ms'], [NaN, ''], [Infinity, '']]));

test('latencies', () => table(format.latency, [[0.004, '<0.01 ms'], [0.412, '0.41 ms'], [9.994, '9.99 ms'], [12.4, '12 ms'], [2500, '2.5 s'],
    [null, '–'], [undefined, '–']]));

test('clocks', () => table(format.clock, [[0, '0:00'], [4999, '0:04'], [200000, '3:20'], [7500000, '2:05:00'], [NaN, '']]));

test('counts', () => table(format.count, [[0, '0'], [999, '999'], [1000, '1,000'], [1234567, '1,234,567'], [NaN, ''], [undefined, '']]));

test('short numbers have at most four characters', () => {
    table(format.short, [[0, '0'], [999, '999'], [1000, '1.0k'], [9949, '9.9k'], [9950, '10k'], [12400, '12k'], [999499, '999k'], [999500, '1.0M'],
        [1.44e6, '1.4M'], [2.5e10, '25G']]);
    for (let n = 1; n < 9e11; n = Math.ceil(n * 1.07)) assert.ok(format.short(n).length <= 4, String(n));
});

test('dollars', () => table(format.dollars, [[0, '$0.00'], [1.476, '$1.48'], [0.01, '$0.01'], [0.0031, '$0.0031'], [0.00042, '$0.00042'], [999.99, '$999.99'],
    [1204.4, '$1,204'], [NaN, '']]));

test('prices in columns', () => table(format.price, [[0.0081, '$0.008'], [1.48, '$1.480'], [9.9994, '$9.999'], [12.4, '$12.40'], [NaN, '']]));

test('sizes', () => table(format.size, [[0, '0 B'], [999, '999 B'], [1000, '1.0 kB'], [4200, '4.2 kB'], [63.7e6, '63.7 MB'], [999600, '1.0 MB'], [123e6, '123 MB'],
    [5e15, '5000 TB'], [NaN, '']]));

test('rates', () => table(format.rate, [[1.44, '1.4/s'], [120.4, '120/s'], [3000, '3,000/s'], [0.05, '3.0/min'], [0, '0.0/s'], [NaN, '']]));

test('times are local, with the date only of other days', () => {
    const day = new Date(2026, 10, 21, 9, 46, 31, 417).getTime();
    assert.equal(format.time(day, day + 3600000), '09:46:31');
    assert.equal(format.time(day, day + 86400000), '2026-11-21 09:46:31');
    assert.equal(format.exactTime(day), '2026-11-21 09:46:31.417');
    assert.equal(format.timeSince(day, day), '09:46:31');
    assert.equal(format.timeSince(day + 2 * 86400000, day), '+2 d 09:46:31');
    assert.equal(format.timeSince(day, NaN), '09:46:31');
    assert.equal(format.time(NaN), '');
});

test('plurals and shares', () => {
    assert.equal(format.plural(1, 'task'), '1 task');
    assert.equal(format.plural(2000, 'task'), '2,000 tasks');
    table((n) => format.percent(n, 1000), [[0, '0 %'], [999, '99 %'], [1000, '100 %']]);
    assert.equal(format.percent(0, 0), '');
});
