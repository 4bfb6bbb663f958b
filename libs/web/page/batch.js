// Decodes the binary form of a trace: batches of rows (attempts) and completions, little-endian. Pure.
// Each column starts at a multiple of 8 bytes from the start of its batch, so it is viewed where it lies.

const MAGIC = 0x31525442;

const ROW_COLUMNS = [
    ['submitted', Float64Array], ['id', Uint32Array], ['parent', Uint32Array], ['of', Uint32Array],
    ['step', Uint16Array], ['origin', Uint8Array],
];

const END_COLUMNS = [
    ['started', Float64Array], ['ended', Float64Array], ['usd', Float32Array], ['row', Uint32Array],
    ['pre', Uint32Array], ['post', Uint32Array], ['tokens', Uint32Array], ['agent', Uint16Array],
    ['outcome', Uint8Array], ['reason', Uint8Array], ['flags', Uint8Array],
];

const aligned = (at, to) => Math.ceil(at / to) * to;

// All batches of a body (an ArrayBuffer): [{ n, m, firstRow, rows: {column: array}, ends: {…}, agents: [names] }].
// The arrays are views of the buffer. Throws an Error if it is not such a body.
export function decodeBatches(buffer) {
    const batches = [];
    let at = 0;
    while (at < buffer.byteLength) {
        const { batch, end } = decodeBatch(buffer, at);
        batches.push(batch);
        at = aligned(end, 8);
    }
    return batches;
}

function decodeBatch(buffer, start) {
    const view = new DataView(buffer, start);
    if (view.byteLength < 16 || view.getUint32(0, true) !== MAGIC) throw new Error('this is not a trace');
    const batch = { n: view.getUint32(4, true), m: view.getUint32(8, true), firstRow: view.getUint32(12, true) };
    const reader = { buffer, at: start + 16 };
    batch.rows = columns(reader, ROW_COLUMNS, batch.n);
    batch.ends = columns(reader, END_COLUMNS, batch.m);
    batch.agents = names(reader);
    return { batch, end: reader.at };
}

function columns(reader, table, length) {
    const found = {};
    for (const [name, Type] of table) {
        found[name] = new Type(reader.buffer, reader.at, length);
        reader.at = aligned(reader.at + found[name].byteLength, 8);
    }
    return found;
}

function names(reader) {
    const view = new DataView(reader.buffer);
    const length = view.getUint32(reader.at, true);
    reader.at += 4;
    const found = [];
    for (let i = 0; i < length; ++i) {
        const bytes = view.getUint32(reader.at, true);
        found.push(new TextDecoder().decode(new Uint8Array(reader.buffer, reader.at + 4, bytes)));
        reader.at = aligned(reader.at + 4 + bytes, 4);
    }
    return found;
}

// The bytes of base64 text, in a buffer of their own.
export function fromBase64(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes.buffer;
}
