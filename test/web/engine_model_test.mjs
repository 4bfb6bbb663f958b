import assert from 'node:assert/strict';
import test from 'node:test';

import { HostList, connectionOf, problemText, sumText } from '../../libs/web/page/engine_model.js';

const NONE = { redelivered: 0, owners_lost: 0, leases_lost: 0, late_answers: 0 };
const host = (edge, more = {}) => ({ edge, idle: 1, busy: 2, leases: 2, submissions: 5, connected_for_ms: 65400, lag_ms: 0.4, counts: NONE, ...more });
const engineOf = (more = {}) => ({ name: 'nats://h1:4222', edge: 'h1', connected: true, since: 1000, problem: null, lag_ms: 0.2, leases: 7,
    submissions: 3, counts: NONE, hosts: [host('h1'), host('h10'), host('h2')], ...more });
const statusAt = (time, more = {}) => ({ time, agents: [{ state: 'busy' }, { state: 'ending' }, { state: 'heartbeat' }], engine: engineOf(more) });
const told = (rows) => rows.map(({ edge, isThere, connection }) => [edge, isThere, connection.state, connection.text]);

test('the connection is told with since when, and why not', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    const since = now - 42000;
    assert.deepEqual(connectionOf(engineOf({ since }), now), { state: 'done', text: 'connected since 11:59:18' });
    assert.deepEqual(connectionOf(engineOf({ connected: false, since }), now), { state: 'lost', text: 'lost since 11:59:18' });
    assert.deepEqual(connectionOf(engineOf({ connected: false, since: null }), now), { state: 'lost', text: 'not connected yet' });
    assert.equal(problemText(engineOf()), '');
    assert.match(problemText(engineOf({ connected: false, problem: 'refused.' })), /^No connection with the engine: refused\. Agents go on/);
    assert.match(problemText(engineOf({ connected: false })), /^No connection with the engine\. Agents go on/);
});

test('the hosts are in the order of their ids, and this one is as it is now', () => {
    const hosts = new HostList();
    hosts.take(statusAt(60000));
    const rows = hosts.rows(61500);
    assert.deepEqual(told(rows), [['h1', true, 'done', '1 min'], ['h2', true, 'done', '1 min 5 s'], ['h10', true, 'done', '1 min 5 s']]);
    const [{ isThis, busy, idle, leases, submissions, lag_ms }, other] = rows;
    assert.deepEqual([isThis, busy, idle, leases, submissions, lag_ms], [true, 2, 1, 7, 3, 0.2]);
    assert.deepEqual([other.isThis, other.busy, other.submissions], [false, 2, 5]);
    assert.equal(sumText(rows), '3 hosts: 6 agents busy, 3 idle; 11 tasks of 13 submissions');
});

test('a host that stops answering stays, says so after a while, and is forgotten later', () => {
    const hosts = new HostList();
    const alone = { hosts: [host('h1'), host('h10')] };
    hosts.take(statusAt(60000));
    hosts.take(statusAt(65000, alone));
    assert.deepEqual(told(hosts.rows(66000))[1], ['h2', true, 'done', '1 min 5 s']);
    assert.deepEqual(told(hosts.rows(72000))[1], ['h2', false, 'lost', 'silent 0:12']);
    hosts.take(statusAt(80000));
    assert.deepEqual(told(hosts.rows(80000))[1], ['h2', true, 'done', '1 min 5 s']);
    for (const time of [600000, 680000]) hosts.take(statusAt(time, alone));
    assert.equal(hosts.rows(680000).length, 3);
    hosts.take(statusAt(680001, alone));
    assert.deepEqual(hosts.rows(680001).map(({ edge }) => edge), ['h1', 'h10']);
});

test('without a connection nothing is known of the others, and everything of this one', () => {
    const hosts = new HostList();
    hosts.take(statusAt(60000));
    hosts.take(statusAt(61000, { connected: false, since: 60500, hosts: [], lag_ms: null }));
    const rows = hosts.rows(102500);
    assert.deepEqual(told(rows), [['h1', true, 'lost', 'lost 0:42'], ['h2', false, 'paused', 'unknown 0:42'], ['h10', false, 'paused', 'unknown 0:42']]);
    assert.deepEqual([rows[0].busy, rows[0].leases, rows[0].lag_ms, rows[1].busy], [2, 7, null, 2]);
    const fresh = new HostList();
    fresh.take(statusAt(61000, { connected: false, since: null, hosts: [] }));
    assert.deepEqual(told(fresh.rows(61000)), [['h1', true, 'lost', 'not yet']]);
});
