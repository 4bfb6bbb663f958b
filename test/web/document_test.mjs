import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJson, members, stringAt, valueEnd } from '../../libs/web/page/json_text.js';
import { GROUP, MOST_HITS, documentOf, occurrences, pathTo } from '../../libs/web/page/document_tree.js';

const written = (text, part) => text.slice(part.start, part.end);

test('members are found where they are, as they were written', () => {
    const text = ' {"a" : 1.0, "b\\"}": [1, {"c":"]"}] ,"\\u0063":"\\\\"}';
    const root = documentOf(text);
    assert.equal(root.kind, 'object');
    assert.equal(root.count, 3);
    const [a, b, c] = root.children();
    assert.deepEqual([a.key, b.key, c.key], ['a', 'b"}', 'c']);
    assert.equal(written(text, a), '1.0');
    assert.equal(written(text, b), '[1, {"c":"]"}]');
    assert.equal(stringAt(text, c.start), '\\');
    assert.deepEqual(b.children().map((part) => [part.kind, part.key]), [['scalar', 0], ['object', 1]]);
});

test('empty ones, scalars, and strings at the top', () => {
    assert.equal(documentOf('{}').count, 0);
    assert.deepEqual(documentOf('[ ]').children(), []);
    for (const text of ['1.0', ' -1e400 ', 'true', 'null']) assert.equal(written(text, documentOf(text)), text.trim());
    assert.equal(documentOf('"x"').kind, 'string');
});

test('nesting of any depth', () => {
    const deep = '['.repeat(100000) + ']'.repeat(100000);
    assert.equal(valueEnd(deep, 0), deep.length);
    assert.equal(members(deep, 0).starts.length, 1);
});

test('many members come in ranges', () => {
    const text = JSON.stringify(Array.from({ length: 12345 }, (_, i) => i));
    const root = documentOf(text);
    const ranges = root.children();
    assert.equal(ranges.length, 2);
    assert.equal(ranges[0].kind, 'range');
    assert.deepEqual([ranges[1].from, ranges[1].to], [10000, 12345]);
    const inner = ranges[1].children();
    assert.equal(inner.length, 24);
    assert.equal(written(text, inner[0].children()[7]), '10007');
    assert.equal(inner[0].children().length, GROUP);
});

test('text that is not JSON is its lines', () => {
    const text = 'I have looked.\n[{"kind": 1}]\n';
    assert.ok(!isJson(text));
    const root = documentOf(text);
    assert.equal(root.kind, 'lines');
    assert.deepEqual(root.children().map((part) => written(text, part)), ['I have looked.\n', '[{"kind": 1}]\n']);
    assert.equal(documentOf('').kind, 'lines');
});

test('what is searched is found as it is written, and the way to it', () => {
    const text = '{"a":[0,{"say \\"hi\\"":"x"}],"b":"HI there\\nline"}';
    assert.equal(occurrences(text, 'hi', true).length, 2);
    assert.equal(occurrences(text, '"hi"', true).length, 1, 'quotes are escaped in JSON');
    assert.equal(occurrences(text, 'there\nline', true).length, 1);
    assert.deepEqual(occurrences(text, '.', true), []);
    assert.deepEqual(occurrences(text, '', true), []);
    assert.deepEqual(pathTo(documentOf(text), text.indexOf('say')), [0, 1, 0]);
    assert.deepEqual(pathTo(documentOf(text), text.indexOf('HI')), [1]);
    assert.equal(occurrences('a'.repeat(5000), 'A', false).length, MOST_HITS);
});

test('the way through ranges', () => {
    const text = JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ n: i })));
    assert.deepEqual(pathTo(documentOf(text), text.indexOf('"n":321')), [3, 21, 0]);
});
