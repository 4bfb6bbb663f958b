// Instructions, which are written in markdown, as paragraphs and blocks of code: for reading, not as markup. Pure.

// [{ kind: 'heading' | 'paragraph' | 'item' | 'code', text }]
export function proseOf(text) {
    const reader = { found: [], lines: [], fence: null };
    for (const line of text.split('\n')) (reader.fence === null ? readText : readCode)(reader, line);
    flush(reader, reader.fence === null ? 'paragraph' : 'code');
    return reader.found;
}

function flush(reader, kind) {
    const { lines } = reader;
    reader.lines = [];
    if (lines.every((line) => line.trim() === '')) return;
    reader.found.push({ kind: kind === 'paragraph' && ITEM.test(lines[0]) ? 'item' : kind, text: lines.join('\n') });
}

const fenceOf = (line) => /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? null;
const ITEM = /^([-*+]|\d{1,3}[.)]) /;

function readCode(reader, line) {
    if (fenceOf(line)?.startsWith(reader.fence) && line.trim() === fenceOf(line)) {
        flush(reader, 'code');
        reader.fence = null;
    } else {
        reader.lines.push(line);
    }
}

function readText(reader, line) {
    const fence = fenceOf(line);
    const heading = /^#{1,6} +(.*?) *#*$/.exec(line)?.[1];
    const text = line.trimStart();
    if (fence !== null || heading !== undefined || text === '' || ITEM.test(text)) flush(reader, 'paragraph');
    reader.fence = fence;
    if (fence !== null || text === '') return;
    if (heading === undefined) return void reader.lines.push(text);
    reader.lines.push(heading);
    flush(reader, 'heading');
}

// The pieces of a text: [{ style: 'code' | 'strong' | 'plain', text }].
export function inlineOf(text) {
    return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((piece, i) => {
        if (i % 2 === 0) return { style: 'plain', text: piece };
        return piece.startsWith('`') ? { style: 'code', text: piece.slice(1, -1) } : { style: 'strong', text: piece.slice(2, -2) };
    }).filter((piece) => piece.text !== '');
}
