import assert from 'node:assert/strict';
import test from 'node:test';

import { PoolHistory, activityText, agentCounts, awayGroups, awayText, countList, queueText, sortedAgents, submissionText,
    unmatchedText } from '../../libs/web/page/pool_model.js';

test('agents are in the order of their names, with numbers as numbers', () => {
    const agents = [{ id: 'z', name: null }, { id: '3', name: 'claude-10' }, { id: '2', name: 'claude-2' },
        { id: '1', name: 'claude-2' }];
    assert.deepEqual(sortedAgents(agents).map(({ id }) => id), ['1', '2', '3', 'z']);
    assert.deepEqual(agentCounts([{ state: 'busy' }, { state: 'busy' }, { state: 'ending' }, { state: 'constructor' }]),
        { busy: 2, idle: 0, heartbeat: 0, ending: 1 });
});

test('agents that are away are told by the reason, until the last is back', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    const at = (minutes) => now + minutes * 60000;
    const away = [{ name: 'a', account: 'claude (/h)', reason: 'limit', until: at(9) },
        { name: 'b', account: null, reason: 'no credit', until: at(1) },
        { name: 'c', account: 'claude (/h)', reason: 'limit', until: at(10) }, { name: 'd', account: 'codex (/h)', until: at(60) }];
    const groups = awayGroups(away);
    assert.deepEqual(groups.map(({ names }) => names), [['b'], ['a', 'c'], ['d']]);
    assert.deepEqual(groups.map((group) => awayText(group, now)), ['1 agent until 12:01:00: resting: no credit',
        '2 agents until 12:10:00: claude (/h) is parked: limit', '1 agent until 13:00:00: codex (/h) is parked']);
});

test('what waits in vain, and the queue', () => {
    assert.equal(unmatchedText({ length: 2, since: 0, labels: ['gpu', 'eu'], missing: ['gpu'] }, 40000),
        '2 tasks for 40.0 s: no agent has the label gpu');
    assert.equal(unmatchedText({ length: 1, since: 0, labels: ['gpu', 'eu'], missing: [] }, 40000),
        '1 task for 40.0 s: no agent has all of the labels gpu, eu');
    assert.equal(unmatchedText({ length: 1, since: 0, labels: ['a', 'b'], missing: ['a', 'b'] }, 40000),
        '1 task for 40.0 s: no agent has the labels a, b');
    assert.equal(queueText({ length: 0, head: null }, 5), 'empty');
    assert.equal(queueText({ length: 3, head: { since: 1000 } }, 13300), '3 tasks, the first for 12.3 s');
});

test('what an agent does', () => {
    assert.equal(activityText({ text: 'Edit libs/a.cpp', turn: 7, usd: 0.31 }), 'Edit libs/a.cpp · turn 7 · $0.31');
    assert.equal(activityText({ text: '', turn: 7, usd: 0.31, price_list: '2026-08-21' }), 'turn 7 · about $0.31');
    assert.equal(activityText({ text: '', turn: 0 }), '');
    assert.equal(activityText(null), '');
    assert.equal(submissionText({ state: 'busy', submission: null }), '(withdrawn)');
    assert.equal(submissionText({ state: 'idle', submission: null }), '');
    assert.equal(submissionText({ state: 'ending', submission: '#4' }), '#4');
});

test('counts that explain a difference are there if there are any', () => {
    const counts = { submitted: 5, recovered: 0, processed: 4, timed_out: 0, stopped: 0, withdrawn: 0, invalid: 0, handed_back: 0,
        kicked: 0, failed: 1, died: 0 };
    const titles = countList(counts).map(([title]) => title);
    assert.ok(titles.includes('timeout') && titles.includes('failed') && !titles.includes('died') && !titles.includes('recovered'));
});

const status = (time, processed, queue = 0, started = 0) =>
    ({ time, started, counts: { processed }, queue: { length: queue }, agents: [{ state: 'busy' }] });

test('the rate is that of the last half minute, and a new daemon begins anew', () => {
    const history = new PoolHistory();
    history.take(status(0, 100));
    assert.ok(Number.isNaN(history.rate));
    history.take(status(500, 999));
    for (let second = 1; second <= 60; ++second) history.take(status(second * 1000, 100 + second * (second <= 30 ? 10 : 2)));
    assert.equal(history.rate, ((100 + 120) - (100 + 300)) / 30);
    history.take(status(61000, 5, 0, 60500));
    assert.ok(Number.isNaN(history.rate));
});

test('what was is kept for two minutes', () => {
    const history = new PoolHistory();
    for (let second = 0; second <= 300; ++second) history.take(status(second * 1000, second * 4, second % 10));
    const { points, highest } = history.series('queue');
    assert.equal(highest, 9);
    assert.equal(points.length, 121);
    assert.deepEqual([points[0].x, points[120].x], [0, 1]);
    assert.deepEqual(history.series('rate').highest, 4);
});
