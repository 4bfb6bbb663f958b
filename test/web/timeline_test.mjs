import assert from 'node:assert/strict';
import test from 'node:test';

import { SortedTimes, averages, counts } from '../../libs/web/page/sorted_times.js';
import { FAILED, LEVELS, Sublane } from '../../libs/web/page/timeline_sublane.js';
import { FEW, Lanes, MOST, endedBefore } from '../../libs/web/page/timeline_lanes.js';
import { Curves } from '../../libs/web/page/timeline_curves.js';
import { at, heightOf, place, topOfBars } from '../../libs/web/page/timeline_rows.js';
import { summaryOf } from '../../libs/web/page/timeline_table.js';
import { ceiling, firstWindow, followed, including, limited, panned, sinceText, ticks, zoomed } from '../../libs/web/page/timeline_window.js';

const NO_AGENT = 0xFFFF;

// Numbers that are the same in each run.
function numbers(seed) {
    return (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor(seed / 4294967296 * below);
    };
}

// A trace of attempts { started, ended, step, agent, outcome, submitted }; those without `ended` are open.
function traceOf(attempts) {
    const column = (name, other) => attempts.map((attempt) => attempt[name] ?? other);
    const ended = attempts.map((attempt, row) => ({ row, at: attempt.ended })).filter(({ at: time }) => time !== undefined);
    const order = ended.sort((a, b) => a.at - b.at).map(({ row }) => row);
    return { rows: attempts.length, completions: order.length, order, live: new Map(), submitted: column('submitted', 0),
        step: column('step', 0),
        final: column('final', 0), started: column('started', NaN), ended: column('ended', NaN), agent: column('agent', NO_AGENT),
        outcome: attempts.map((attempt) => attempt.ended === undefined ? 0 : attempt.outcome ?? 1) };
}

const steps = [{ name: 'A', action: 'Command' }, { name: 'B', action: 'Pool' }, { name: 'C', action: 'Human' }];

function randomAttempts(count, seed) {
    const next = numbers(seed);
    return Array.from({ length: count }, (_, i) => {
        const submitted = i * 3;
        const started = submitted + next(40);
        return { submitted, started, ended: started + next(next(10) === 0 ? 500 : 30), step: next(2), outcome: next(8) === 0 ? 2
            + next(2) : 1 };
    });
}

test('moments are counted up to a time, in whatever pieces they come', () => {
    const next = numbers(7);
    const times = new SortedTimes(1000);
    const all = [];
    for (let piece = 0; piece < 40; ++piece) {
        const batch = Float64Array.from({ length: next(60) }, () => 1000 + piece * 50 + next(400));
        all.push(...batch);
        times.add(batch);
    }
    for (let time = 990; time < 3500; time += 37) {
        assert.equal(times.countUpTo(time), all.filter((one) => one <= time).length);
        assert.equal(times.passed(time) + 0, all.reduce((sum, one) => sum + Math.max(0, time - one), 0));
    }
});

test('averages are exact, also of what is shorter than a part', () => {
    const begun = new SortedTimes(0);
    const ended = new SortedTimes(0);
    begun.add(Float64Array.of(0, 10, 12));
    ended.add(Float64Array.of(20, 15, 14));
    assert.deepEqual([...averages([begun], [ended], 0, 20, new Float64Array(2))], [1, 1.7]);
    assert.deepEqual([...counts(ended, 0, 20, new Float64Array(2))], [0, 3]);
});

test('attempts of a lane that overlap are side by side, on as few lines as there are at once', () => {
    for (let seed = 1; seed <= 20; ++seed) {
        const attempts = randomAttempts(300, seed).map((attempt) => ({ ...attempt, step: 0 }));
        const lanes = new Lanes(traceOf(attempts), steps, 'step');
        lanes.take();
        const [lane] = lanes.list();
        assert.equal(lane.attempts, 300);
        const moments = attempts.flatMap(({ started, ended }) => ended > started ? [[ended, -1], [started, 1]]
            : []).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        let depth = 0;
        let most = 0;
        for (const [, change] of moments) most = Math.max(most, depth += change);
        assert.ok(lane.sublanes.length <= most + 1, `seed ${seed}: ${lane.sublanes.length} lines for ${most} at once`);
        const rows = lane.sublanes.flatMap((sublane) => [...sublane.rows.subarray(0, sublane.length)]);
        assert.equal(new Set(rows).size, 300);
        for (const sublane of lane.sublanes)
            for (let i = 1; i < sublane.length; ++i) assert.ok(sublane.start(i) >= sublane.end(i - 1));
    }
});

test('what is taken in pieces is as what is taken at once', () => {
    const attempts = randomAttempts(400, 3);
    const whole = new Lanes(traceOf(attempts), steps, 'step');
    whole.take();
    const trace = traceOf(attempts);
    const all = trace.completions;
    const pieces = new Lanes(trace, steps, 'step');
    for (trace.completions = 0; trace.completions < all; trace.completions = Math.min(all, trace.completions + 17)) pieces.take();
    pieces.take();
    const shown = (lanes) => lanes.list().map((lane) => [lane.key, lane.failed, lane.dropped, lane.busy,
        lane.sublanes.map((sublane) => [...sublane.rows.subarray(0, sublane.length)])]);
    assert.deepEqual(shown(pieces), shown(whole));
});

test('the lanes of agents, of commands, of people', () => {
    const lanes = new Lanes(traceOf([{ started: 0, ended: 5, step: 1, agent: 1 }, { started: 0, ended: 6, step: 0 },
        { started: 0, ended: 7, step: 2 },
        { started: 0, ended: 8, step: 1, outcome: 3 }, { started: 5, ended: 9, step: 1, agent: 0 },
            { started: 9, ended: 10, step: 2, final: 1 }]), steps, 'agent');
    lanes.take();
    assert.deepEqual(lanes.list().map((lane) => [lane.agent, lane.attempts, lane.dropped]),
        [['commands', 2, 0], ['people', 1, 0], ['none', 1, 1], [0, 1, 0], [1, 1, 0]]);
});

test('what runs keeps its place until it ends, whatever ends before', () => {
    const trace = traceOf([{ started: 0, ended: 100 }, { started: 10, ended: 30 }, { started: 30, ended: 40 }]);
    const lanes = new Lanes(trace, steps, 'step');
    trace.completions = 0;
    trace.live = new Map([[0, { since: 0, phase: 'command' }], [1, { since: 10, phase: 'command' }]]);
    lanes.setLive();
    const [lane] = lanes.list();
    assert.deepEqual(lane.live.map(({ row, sublane }) => [row, sublane]), [[0, 0], [1, 1]]);
    trace.completions = 2;
    trace.live.delete(1);
    lanes.take();
    lanes.setLive();
    assert.deepEqual(lane.live.map(({ row, sublane }) => [row, sublane]), [[0, 0]]);
    trace.completions = 3;
    trace.live.clear();
    lanes.take();
    lanes.setLive();
    assert.deepEqual(lane.sublanes.map((sublane) => [...sublane.rows.subarray(0, sublane.length)]), [[0], [1, 2]]);
});

test('a lane with very many at once becomes a curve', () => {
    const trace = traceOf(Array.from({ length: MOST + 40 }, (_, i) => ({ started: i, ended: 1000 + i, outcome: i === 5 ? 3 : 1 })));
    const lanes = new Lanes(trace, steps, 'step');
    lanes.take();
    const [lane] = lanes.list();
    assert.equal(lane.sublanes, null);
    assert.equal(lane.attempts, MOST + 40);
    assert.equal(averages([lane.dense.starts], [lane.dense.ends], 500, 600, new Float64Array(1))[0], MOST + 40);
    assert.deepEqual([...counts(lane.dense.failures, 1000, 1010, new Float64Array(2))], [1, 0]);
});

test('a lane that becomes dense by what runs has a curve, of what has ended in it', () => {
    const attempts = [{ started: 10, ended: 20 }, ...Array.from({ length: FEW + 5 }, () => ({ submitted: 30 }))];
    const trace = traceOf(attempts);
    const lanes = new Lanes(trace, steps, 'step');
    lanes.take();
    trace.live = new Map(attempts.map((_, row) => [row, { since: 40, phase: 'pool' }]).slice(1));
    lanes.setLive();
    assert.equal(lanes.list()[0].dense.starts.length, 1);
    lanes.setLive();
    assert.equal(lanes.list()[0].dense.starts.length, 1);
});

test('a lane that becomes dense while the run goes on has all attempts in its curve', () => {
    const attempts = Array.from({ length: FEW + 5 }, (_, i) => ({ started: 100 * (i % 3), ended: 1000 + i }));
    const trace = traceOf(attempts);
    const lanes = new Lanes(trace, steps, 'step');
    for (trace.completions = 1; trace.completions <= FEW + 5; ++trace.completions) lanes.take();
    trace.completions = FEW + 5;
    assert.equal(lanes.list()[0].dense.starts.length, FEW + 5);
});

function sublaneOf(spans) {
    const trace = { started: spans.map(([start]) => start), ended: spans.map(([, end]) => end) };
    const sublane = new Sublane(trace);
    spans.forEach(([, , failed], row) => sublane.push(row, failed ?? FAILED.none));
    return sublane;
}

function drawn(sublane, from, to, width) {
    const bars = [];
    const pixels = [];
    sublane.draw(from, to, width, (x, end, index) => bars.push([x, end, index]),
        (x, end, level, failed) => pixels.push([x, end, level, failed]));
    return { bars, pixels };
}

test('what is wide enough is a bar of its own, cut at the sides', () => {
    const sublane = sublaneOf([[0, 10], [10, 20], [30, 50]]);
    assert.deepEqual(drawn(sublane, 15, 45, 30).bars, [[0, 5, 1], [15, 30, 2]]);
    assert.deepEqual(drawn(sublane, 50, 60, 30), { bars: [], pixels: [] });
});

test('what is thinner than a pixel is summed up, and failures stay in sight', () => {
    const spans = Array.from({ length: 1000 }, (_, i) =>
        [i * 2, i * 2 + 1, i === 500 ? FAILED.retried : i === 700 ? FAILED.dropped : FAILED.none]);
    const { bars, pixels } = drawn(sublaneOf(spans), 0, 2000, 20);
    assert.deepEqual(bars, []);
    const half = Math.round(LEVELS / 2);
    assert.deepEqual(pixels, [[0, 10, half, FAILED.none], [10, 11, half, FAILED.retried], [11, 14, half, FAILED.none],
        [14, 15, half, FAILED.dropped], [15, 20, half, FAILED.none]]);
});

test('at any scale all that is in sight is drawn, with a bounded number of marks', () => {
    const next = numbers(11);
    const spans = [];
    for (let time = 0; spans.length < 3000; ) {
        const start = time + next(20);
        spans.push([start, start + next(next(20) === 0 ? 900 : 9), next(30) === 0 ? FAILED.dropped : FAILED.none]);
        time = spans[spans.length - 1][1];
    }
    const sublane = sublaneOf(spans);
    for (const length of [50, 400, 5000, 100000]) {
        const { bars, pixels } = drawn(sublane, 3000, 3000 + length, 100);
        assert.ok(bars.length <= 101 && pixels.length <= 200);
        const covered = (x) => bars.some(([from, to]) => x >= from - 1e-6 && x <= to + 1e-6)
            || pixels.some(([from, to]) => x >= from && x < to);
        for (const [start, end] of spans)
            if (end > 3000 && start < 3000 + length) assert.ok(covered(Math.max(0, (start - 3000) / length * 100)),
                `${start} at ${length}`);
    }
});

test('the attempt nearest to a point', () => {
    const sublane = sublaneOf([[0, 10], [20, 20], [40, 50]]);
    assert.equal(sublane.nearest(5, 0), 0);
    assert.equal(sublane.nearest(19, 2), 1);
    assert.equal(sublane.nearest(30, 5), -1);
    assert.equal(sublane.nearest(55, 6), 2);
});

test('the curves of what runs and what waits, without people', () => {
    const trace = traceOf([{ submitted: 0, started: 10, ended: 30 }, { submitted: 0, started: 30, ended: 50 },
        { submitted: 0, started: 0, ended: 90, step: 2 },
        { submitted: 60 }, { submitted: 70 }]);
    trace.live.set(3, { since: 80, phase: 'command' });
    const curves = new Curves(trace, steps);
    assert.equal(curves.take(2), true);
    while (curves.take(2));
    curves.setLive();
    const parts = () => new Float64Array(5);
    assert.deepEqual([...curves.running(0, 100, parts())], [0.5, 1, 0.5, 0, 1]);
    assert.deepEqual([...curves.waiting(0, 100, parts())], [1.5, 0.5, 0, 1.5, 1]);
});

test('lanes have places, and what is at a place is found', () => {
    const lanes = [{ key: 0, sublanes: [{}, {}] }, { key: 2, sublanes: new Array(FEW + 1).fill({}) }, { key: 4, sublanes: null }];
    const closed = place(lanes, new Set());
    assert.deepEqual(closed.map(({ mode, canOpen }) => [mode, canOpen]), [['bars', false], ['curve', true], ['curve', false]]);
    const opened = place(lanes, new Set([2, 4]));
    assert.deepEqual(opened.map(({ mode }) => mode), ['bars', 'bars', 'curve']);
    assert.equal(heightOf(opened), opened[2].top + opened[2].height);
    const y = topOfBars(opened[1]) + 3.5 * opened[1].row;
    assert.deepEqual([at(opened, y).placed.lane.key, at(opened, y).sublane], [2, 3]);
    assert.equal(at(opened, heightOf(opened) + 1), null);
    assert.equal(at(closed, closed[1].top + 5).sublane, -1);
});

test('a window stays within the whole, and zooms about a place', () => {
    const whole = { from: 0, to: 1000 };
    assert.deepEqual(limited({ from: -50, to: 150 }, whole), { from: 0, to: 200 });
    assert.deepEqual(zoomed({ from: 0, to: 400 }, 0.5, 100, whole), { from: 50, to: 250 });
    assert.deepEqual(zoomed({ from: 0, to: 400 }, 9, 100, whole), whole);
    assert.deepEqual(panned({ from: 800, to: 900 }, 500, whole), { from: 900, to: 1000 });
    assert.deepEqual(including({ from: 0, to: 100 }, 150, 160, whole), { from: 70, to: 170 });
    assert.deepEqual(including({ from: 200, to: 300 }, 150, 160, whole), { from: 140, to: 240 });
});

test('a window follows a run that goes on, if it was at its end', () => {
    const before = { from: 0, to: 100 };
    const whole = { from: 0, to: 200 };
    assert.deepEqual(followed(before, before, whole), whole);
    assert.deepEqual(followed({ from: 60, to: 100 }, before, whole), { from: 160, to: 200 });
    assert.deepEqual(followed({ from: 10, to: 60 }, before, whole), { from: 10, to: 60 });
});

test('the marks of the axis are round and apart', () => {
    const marks = ticks({ from: 5000, to: 65000 }, 600, 5000);
    assert.deepEqual(marks.map(({ text }) => text), ['0:00', '0:10', '0:20', '0:30', '0:40', '0:50', '1:00']);
    assert.deepEqual(ticks({ from: 0, to: 30 }, 600, 0).map(({ text }) => text),
        ['0:00.000', '0:00.005', '0:00.010', '0:00.015', '0:00.020', '0:00.025', '0:00.030']);
    assert.equal(sinceText(7384000), '2:03:04');
    assert.deepEqual([0, 1, 3, 10, 11, 1234].map(ceiling), [1, 1, 5, 10, 20, 2000]);
});

test('a run that took attempts over is shown from its own start, and grows from there', () => {
    const trace = traceOf([{ started: 0, ended: 10 }, { started: 5, ended: 20 }, { started: 1000, ended: 1010 }]);
    assert.deepEqual([0, 11, 900, 5000, NaN, undefined].map((time) => endedBefore(trace, time)), [0, 1, 2, 3, 0, 0]);
    const whole = { from: 0, to: 1010 };
    const first = firstWindow(900, whole);
    assert.deepEqual(first, { from: 900, to: 1010 });
    assert.deepEqual(followed(first, whole, { from: 0, to: 1500 }, 900), { from: 900, to: 1500 });
    assert.deepEqual(followed(whole, whole, { from: 0, to: 1500 }, 900), { from: 0, to: 1500 }, 'all stays all');
    assert.deepEqual(followed({ from: 950, to: 1010 }, whole, { from: 0, to: 1500 }, 900), { from: 1440, to: 1500 });
    assert.deepEqual(firstWindow(NaN, whole), whole);
});

test('what waits for a person is not running, and what was taken over is told', () => {
    const lane = { attempts: 2, failed: 0, dropped: 0, live: [{ phase: 'human' }, { phase: 'pool' }] };
    assert.match(summaryOf([lane], { from: 0, to: 10 }, 0), /; 1 running or at the pool\.$/);
    assert.match(summaryOf([lane], { from: 0, to: 10 }, 1), /1 attempt of these is from before the start of this run\.$/);
});
