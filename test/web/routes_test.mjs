import assert from 'node:assert/strict';
import { test } from 'node:test';
import { href, parse, tokenOf } from '../../libs/web/page/routes.js';

test('each address and back', () => {
    for (const hash of ['#/runs', '#/run/5a3e/graph', '#/run/5a3e/tasks', '#/run/5a3e/timeline', '#/run/5a3e/task/12', '#/questions', '#/question/5a3e/7',
        '#/pools', '#/run/5a3e/tasks?state=dropped&text=a%26b+%23c', '#/runs?text=x']) {
        assert.equal(href(parse(hash)), hash);
    }
});

test('what is not known is the list of runs; a run alone is its graph', () => {
    for (const hash of ['', '#', '#/', '#/nonsense', '#/run', '#/question/5a3e/x', '#/question/5a3e', '#token=abc']) {
        assert.deepEqual(parse(hash), { view: 'runs', query: {} }, hash);
    }
    for (const hash of ['#/run/5a3e', '#/run/5a3e/nonsense', '#/run/5a3e/task/-1', '#/run/5a3e/task/99999999999']) {
        assert.deepEqual(parse(hash), { view: 'graph', run: '5a3e', query: {} }, hash);
    }
});

test('ids and queries may contain anything', () => {
    const route = { view: 'tasks', run: 'a/b?c#d%', query: { step: '<b>&=#', text: 'ü' } };
    assert.deepEqual(parse(href(route)), route);
    assert.equal(parse('#/run/%zz/tasks').run, '%zz');
    assert.equal(parse('#/runs?__proto__=1').view, 'runs');
});

test('empty members of a query are left out', () => {
    assert.equal(href({ view: 'runs', query: { text: '', state: null, sort: undefined } }), '#/runs');
});

test('the token', () => {
    assert.equal(tokenOf('#token=a%2Bb'), 'a+b');
    assert.equal(tokenOf('#/runs'), null);
    assert.equal(tokenOf('#token='), null);
});
