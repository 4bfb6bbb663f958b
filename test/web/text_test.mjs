import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAt, firstLine, parts, pieceEnd, plain } from '../../libs/web/page/text.js';

test('hidden characters become their codes, and nothing is lost', () => {
    assert.deepEqual(parts('user\u202E\u2066admin'), ['user', { code: 'U+202E' }, { code: 'U+2066' }, 'admin']);
    assert.deepEqual(parts('a\0b\x1b[31m\r\n'), ['a', { code: 'NUL' }, 'b', { code: 'ESC' }, '[31m', { code: 'CR' }, '\n']);
    assert.deepEqual(parts('\uFEFFx\u200B\u00AD'), [{ code: 'BOM' }, 'x', { code: 'U+200B' }, { code: 'U+00AD' }]);
    assert.deepEqual(parts('\u{E0041}'), [{ code: 'U+E0041' }]);
    assert.deepEqual(parts('a\ud800b'), ['a', { code: 'U+D800' }, 'b'], 'half a character');
    assert.deepEqual(parts(''), []);
});

test('what people write stays', () => {
    for (const text of ['<b>&amp;</b>', 'a\tb\n', 'שלום مرحبا', '👩‍👩‍👧 🎪', 'می\u200Cخواهم', 'e\u0301']) assert.deepEqual(parts(text), [text]);
    assert.deepEqual(parts('pass\u200Dword'), ['pass', { code: 'U+200D' }, 'word'], 'a joiner between Latin letters hides');
});

test('one line for titles', () => {
    assert.equal(plain('a\n\nb\u202Ec'), 'a b[U+202E]c');
    assert.equal(plain('x'.repeat(10), 5), 'xxxxx…');
});

test('text is not cut within a character', () => {
    assert.equal(cutAt('ab🎪c', 3), 'ab');
    assert.equal(cutAt('ab🎪c', 4), 'ab🎪');
    assert.equal(cutAt('ab', 5), 'ab');
});

test('pieces end with a line if one ends near, and together are the text', () => {
    assert.equal(pieceEnd('aaaa\nbbbb', 0, 6), 5);
    assert.equal(pieceEnd('a\nbbbbbbbbb', 0, 6), 5, 'the line ends too early');
    for (const text of ['🎪'.repeat(100), 'ab\n'.repeat(99), 'x'.repeat(1000)]) {
        let whole = '';
        for (let at = 0; at < text.length;) {
            const end = pieceEnd(text, at, 16);
            assert.ok(end > at && end - at <= 16);
            whole += text.slice(at, end);
            at = end;
        }
        assert.equal(whole, text);
    }
});

test('the first line with anything in it', () => {
    assert.equal(firstLine('\n  \n # Title\nmore'), '# Title');
    assert.equal(firstLine(''), '');
});
