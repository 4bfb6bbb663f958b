import assert from 'node:assert/strict';
import test from 'node:test';

import { fieldOf } from '../../libs/web/page/schema_field.js';
import { draftOf, editable, fits, visible, written } from '../../libs/web/page/schema_draft.js';
import { newTask, responseDraft, toForm, toJson, writtenResponse } from '../../libs/web/page/response_draft.js';
import { inlineOf, proseOf } from '../../libs/web/page/prose.js';

const kindOf = (schema) => fieldOf(schema, schema).kind;
const draft = (schema, text) => draftOf(schema, schema, text);

const note = { type: 'object', required: ['text', 'stars'], additionalProperties: false, properties: {
    text: { type: 'string', title: 'Text', minLength: 1 }, stars: { type: 'integer', minimum: 1, maximum: 5 },
    done: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', required: ['x'], properties: { x: { type: 'number' }, side: { enum: ['left', 'right'] } } } } };

test('each kind of schema has its field', () => {
    assert.equal(kindOf({ type: 'string' }), 'string');
    assert.equal(kindOf({ type: 'integer' }), 'number');
    assert.equal(kindOf({ type: 'boolean' }), 'boolean');
    assert.equal(kindOf({ enum: ['a', 1, null] }), 'choice');
    assert.deepEqual(fieldOf({ const: { a: 1 } }, {}).options, ['{"a":1}']);
    assert.deepEqual(fieldOf({ type: 'null' }, {}).options, ['null']);
    assert.equal(kindOf(note), 'object');
    assert.equal(kindOf({ type: 'array', items: { type: 'string' } }), 'array');
});

test('what a form cannot show is a field for JSON', () => {
    for (const schema of [true, false, null, {}, 7, 'x', { type: 'odd' }, { type: 'constructor' }, { type: ['string', 'null'] },
        { oneOf: [{ type: 'string' }] },
        { anyOf: [] }, { type: 'object' }, { type: 'object', properties: null }, { type: 'array', items: [{}] },
            { type: 'array', prefixItems: [{}] },
        { type: 'object', properties: {}, patternProperties: {} }, { not: {} }, { $ref: 'https://example.org/other' }, { enum: [] }])
        assert.equal(kindOf(schema), 'json', JSON.stringify(schema));
    assert.deepEqual(fieldOf({ oneOf: [{ title: 'A date' }, { type: 'null' }] }, {}).hints, ['A date or null']);
});

test('hints say what the schema demands', () => {
    assert.deepEqual(fieldOf({ type: 'string', minLength: 1, maxLength: 20, pattern: '^a' }, {}).hints,
        ['at least 1 character', 'at most 20 characters', 'matches ^a']);
    assert.deepEqual(fieldOf({ type: 'integer', minimum: 0, exclusiveMaximum: 5 }, {}).hints,
        ['a whole number', 'at least 0', 'less than 5']);
    assert.equal(fieldOf({ type: 'string', maxLength: 20 }, {}).long, false);
    assert.equal(fieldOf({ type: 'string' }, {}).long, true);
});

test('a $ref is followed, and ends also if it leads around', () => {
    const root = { $defs: { 'a/b': { type: 'integer', title: 'N' }, loop: { $ref: '#/$defs/loop' } }, properties: {} };
    assert.equal(fieldOf({ $ref: '#/$defs/a~1b' }, root).title, 'N');
    assert.equal(fieldOf({ allOf: [{ $ref: '#/$defs/a~1b' }], description: 'd' }, root).kind, 'number');
    assert.equal(fieldOf({ $ref: '#/$defs/loop' }, root).kind, 'json');
    assert.equal(fieldOf({ $ref: '#/$defs/__proto__' }, root).kind, 'json');
});

test('numbers stay as they were typed, also those that no program could keep', () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const one = draft(schema, '{"n": 1.0}');
    assert.deepEqual(written(one), { text: '{"n": 1.0}' });
    one.members[0].draft.text = ' 123456789012345678901234567890.10 ';
    assert.deepEqual(written(one), { text: '{"n": 123456789012345678901234567890.10}' });
    for (const wrong of ['', '01', '1.', 'NaN', '0x1', '1e']) {
        one.members[0].draft.text = wrong;
        assert.deepEqual(written(one).problems.map(({ path }) => path), [['n']], wrong);
    }
});

test('a value comes out of the form as it went in, with the order of its keys as in the schema', () => {
    const text = '{"text": "a \\"b\\"\\n", "stars": 3, "tags": ["x", "y"], "place": {"x": -0.50, "side": "left"}}';
    assert.equal(written(draft(note, text)).text, text);
});

test('what does not fit is shown as JSON, and only there', () => {
    const one = draft(note, '{"text": 5, "stars": 2, "place": {"x": [1.0]}}');
    const [text, stars, , , place] = one.members;
    assert.deepEqual([one.kind, text.draft.kind, stars.draft.kind, place.draft.kind, place.draft.members[0].draft.kind],
        ['object', 'json', 'number', 'object', 'json']);
    assert.equal(written(one).text, '{"text": 5, "stars": 2, "place": {"x": [1.0]}}');
    assert.equal(draft(note, '{"stranger": 1}').kind, 'json');
});

test('other members of an open object are kept', () => {
    const open = { type: 'object', properties: { a: { type: 'string' } } };
    const one = draft(open, '{"b": 1.50, "a": "x", "__proto__": {"c": []}}');
    assert.equal(one.others, '{"b": 1.50, "__proto__": {"c": []}}');
    assert.equal(written(one).text, '{"a": "x", "b": 1.50, "__proto__": {"c": []}}');
    one.others = '{"a": 1}';
    assert.match(written(one).problems[0].message, /"a" has a field of its own/);
    one.others = '[1]';
    assert.match(written(one).problems[0].message, /not a JSON object/);
});

test('a member named __proto__ is one like others', () => {
    const schema = JSON.parse('{"type": "object", "required": ["constructor"], "properties": {"__proto__": {"type": "string"}, "constructor": {"type": "integer"}}}');
    const one = draft(schema, '{"__proto__": "p", "constructor": 1}');
    assert.deepEqual(one.members.map(({ name, required }) => [name, required]), [['__proto__', false], ['constructor', true]]);
    assert.equal(written(one).text, '{"__proto__": "p", "constructor": 1}');
});

test('an empty form has what is required, and says what is missing', () => {
    const one = draft(note);
    assert.deepEqual(one.members.map((member) => member.draft !== null), [true, true, false, false, false]);
    one.members[0].draft.text = 'hello';
    assert.deepEqual(written(one).problems, [{ path: ['stars'], message: 'Type a number.' }]);
    one.members[0].draft = null;
    assert.deepEqual(written(one).problems.map(({ path }) => path), [['stars'], ['text']]);
});

test('defaults are taken if they fit', () => {
    assert.equal(written(draft({ type: 'integer', default: 7 })).text, '7');
    assert.deepEqual(written(draft({ type: 'integer', default: 'x' })).problems.length, 1);
    assert.equal(draft({ enum: ['a', 'b'], default: 'b' }).chosen, 1);
});

test('a schema that demands itself has an end', () => {
    const schema = { type: 'object', required: ['child'], properties: { child: { $ref: '#' } } };
    let depth = 0;
    for (let at = draft(schema); at !== null; at = at.members[0].draft) ++depth;
    assert.ok(depth < 20);
    let items = 0;
    for (let at = draft({ type: 'array', minItems: 1, items: { $ref: '#' } }); at !== undefined; at = at.items[0]) ++items;
    assert.ok(items < 20);
});

test('strings with characters that are not visible are shown escaped', () => {
    const one = draft({ type: 'string' }, '"a\\u202eb"');
    assert.deepEqual([one.kind, one.text], ['json', '"a\\u202eb"']);
    assert.equal(visible('"x\u202Ey\u{E0001}" \r\n'), '"x\\u202ey\\udb40\\udc01" \r\n');
    assert.equal(JSON.parse(visible('"x\u202Ey\u{E0001}"')), 'x\u202Ey\u{E0001}');
});

test('JSON is edited with a line for each member, if it is long; its tokens stay', () => {
    const text = '{"a" : [1.0,   2], "b": {"c": "x, {y}: \\" z", "d": 12345678901234567890, "e": "0123456789"}}';
    assert.equal(editable(text), '{\n  "a": [1.0,   2],\n  "b": {\n    "c": "x, {y}: \\" z",\n    "d": 12345678901234567890,\n    "e": "0123456789"\n  }\n}');
    assert.equal(editable(' {"a" :1} '), '{"a" :1}');
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    assert.deepEqual(editable(deep).replace(/\s/g, ''), deep);
});

test('whether a value suits a step', () => {
    const suits = (text) => fits(fieldOf(note, note), note, text);
    assert.ok(suits('{"text": "a", "stars": 1}'));
    assert.ok(!suits('{"text": "a"}'));
    assert.ok(!suits('{"text": "a", "stars": 1.5}'));
    assert.ok(!suits('{"text": "a", "stars": 1, "more": 0}'));
    assert.ok(!suits('{"text": "a", "stars": 1, "place": {"x": 0, "side": "up"}}'));
});

const next = [{ name: 'Publish', value_schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
    { name: 'Any "one"', value_schema: null }];

test('a response of several tasks, of one that is approved unchanged, and of none', () => {
    const response = responseDraft(next, '{"text":"T","n":1.0}');
    assert.deepEqual(writtenResponse(response), { text: '[]' });
    response.tasks.push(newTask(response, 0), newTask(response, 1));
    assert.equal(writtenResponse(response).text, '[{"kind": "Publish", "value": {"text": "T", "n": 1.0}}, {"kind": "Any \\"one\\"", "value": {"text":"T","n":1.0}}]');
    response.tasks[1].draft.text = '{';
    assert.deepEqual(writtenResponse(response).problems.map(({ path }) => path), [[1]]);
    assert.equal(responseDraft(next.slice(0, 1), '1').tasks.length, 1);
});

test('from the form to JSON and back, without a loss', () => {
    const response = responseDraft(next, '{"text":"T","n":1.0}');
    response.tasks.push(newTask(response, 0), newTask(response, 1));
    const before = writtenResponse(response).text;
    toJson(response);
    assert.deepEqual(JSON.parse(response.json), JSON.parse(before));
    assert.equal(toForm(response), '');
    assert.equal(writtenResponse(response).text, before);
});

test('what is not finished in the form is still there as JSON', () => {
    const response = responseDraft([{ name: 'N', value_schema: note }], '{}');
    response.tasks[0].draft.members[0].draft.text = 'typed';
    response.tasks[0].draft.members[1].draft.text = '12x';
    response.tasks[0].draft.others = '{"o": 1.0}';
    toJson(response);
    assert.match(response.json, /"typed"/);
    assert.match(response.json, /12x/);
    assert.match(response.json, /"o": 1\.0/);
    assert.match(writtenResponse(response).problems[0].message, /not JSON/);
    assert.match(toForm(response), /not JSON/);
    assert.notEqual(response.json, null);
});

test('what is not chosen yet stays a field from the form to JSON and back', () => {
    const schema = { type: 'object', required: ['yes', 'side', 'n'], properties: { yes: { type: 'boolean' }, side: { enum: ['a', 'b'] },
        n: { type: 'integer' }, none: { type: 'null' } } };
    const response = responseDraft([{ name: 'N', value_schema: schema }], '{}');
    toJson(response);
    assert.equal(toForm(response), '');
    assert.deepEqual(response.tasks[0].draft.members.map(({ draft: own }) => own?.kind), ['boolean', 'choice', 'number', undefined]);
    assert.equal(response.tasks[0].draft.members[0].draft.value, null);
    assert.equal(written(draft({ enum: ['a', null] }, 'null')).text, 'null');
});

test('bounds are checked at the field, and what breaks them is still there as JSON', () => {
    const wrong = (schema, text) => {
        const one = draft(schema);
        one.text = text;
        return written(one).problems?.[0].message ?? '';
    };
    const stars = { type: 'integer', minimum: 1, maximum: 5 };
    assert.deepEqual(['0', '1', '5', '6'].map((text) => wrong(stars, text)), ['This is less than 1.', '', '', 'This is more than 5.']);
    const share = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 };
    assert.deepEqual(['0', '0.5', '1'].map((text) => wrong(share, text)), ['This is not more than 0.', '', 'This is not less than 1.']);
    const word = { type: 'string', minLength: 2, maxLength: 3 };
    assert.deepEqual(['\u{1F600}', 'ab', '\u{1F600}bc', 'abcd'].map((text) => wrong(word, text)),
        ['This is too short: at least 2 characters, and it has 1.', '', '', 'This is too long: at most 3 characters, and it has 4.']);
    const response = responseDraft([{ name: 'N', value_schema: word }], '{}');
    response.tasks[0].draft.text = 'a"';
    response.tasks[0].draft.text += 'bc';
    toJson(response);
    assert.equal(JSON.parse(response.json)[0].value, 'a"bc');
});

test('a form refuses JSON that it cannot show, and says why', () => {
    const told = (json) => toForm({ next, value: '1', tasks: [], json });
    assert.match(told('{}'), /array of tasks/);
    assert.match(told('[1]'), /Task 1: it is not an object/);
    assert.match(told('[{"kind": "Publish"}]'), /needs a "kind" and a "value"/);
    assert.match(told('[{"kind": "Publish", "value": 1, "x": 2}]'), /"x"/);
    assert.match(told('[{"kind": "Other", "value": 1}]'), /no step "Other"/);
    assert.equal(told('[{"value": 1.0, "kind": "Publ\\u0069sh"}]'), '');
});

test('instructions as paragraphs, items and code', () => {
    assert.deepEqual(proseOf('# Title\nOne\ntwo\n\n- a\n- b `x`\n  goes on\n```js\nlet <b> = 1;\n\n# no title\n```\nend'), [
        { kind: 'heading', text: 'Title' }, { kind: 'paragraph', text: 'One\ntwo' }, { kind: 'item', text: '- a' },
            { kind: 'item', text: '- b `x`\ngoes on' },
        { kind: 'code', text: 'let <b> = 1;\n\n# no title' }, { kind: 'paragraph', text: 'end' }]);
    assert.deepEqual(proseOf('# T\n\na\n\n\nb'), [{ kind: 'heading', text: 'T' }, { kind: 'paragraph', text: 'a' },
        { kind: 'paragraph', text: 'b' }]);
    assert.deepEqual(proseOf('~~~\nopen'), [{ kind: 'code', text: 'open' }]);
    assert.deepEqual(inlineOf('a `b**` **c**``'), [{ style: 'plain', text: 'a ' }, { style: 'code', text: 'b**' },
        { style: 'plain', text: ' ' },
        { style: 'strong', text: 'c' }, { style: 'plain', text: '``' }]);
    assert.deepEqual(proseOf(''), []);
});
