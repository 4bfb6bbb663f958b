import assert from 'node:assert/strict';
import test from 'node:test';

import { backEdges, crossings, cutEdges, longestPathRanks, reduceCrossings } from '../../libs/web/page/graph_ranks.js';
import { nearestInOrder } from '../../libs/web/page/graph_place.js';
import { bestLayout, layout, scaleOf } from '../../libs/web/page/graph_layout.js';

const edgesOf = (text) => text.split(' ').filter(Boolean).map((pair) =>
    ({ from: Number(pair.split('>')[0]), to: Number(pair.split('>')[1]) }));
const graphOf = (count, text) => ({ nodes: Array.from({ length: count }, () => ({ width: 200, height: 80 })), edges: edgesOf(text),
    entry: 0 });

// Numbers that are the same in each run.
function numbers(seed) {
    return (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor(seed / 4294967296 * below);
    };
}

function randomGraph(seed) {
    const next = numbers(seed);
    const count = 1 + next(60);
    const edges = Array.from({ length: next(count * 2) }, () => ({ from: next(count), to: next(count) }));
    const nodes = Array.from({ length: count }, () => ({ width: 150 + next(80), height: 60 + next(40) }));
    return { nodes, edges, entry: next(count) };
}

function overlap(a, b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// Points along a path of lines and cubic curves.
function pointsOn(path) {
    const numbersOf = (text) => text.trim().split(' ').map(Number);
    const points = [];
    let at = null;
    for (const [, kind, text] of path.matchAll(/([MLC])([^MLC]*)/g)) {
        const n = numbersOf(text);
        const end = n.slice(-2);
        for (let i = 0; at !== null && i <= 20; ++i) points.push(kind === 'C' ? onCurve(at, n, i / 20)
            : at.map((from, k) => from + (end[k] - from) * i / 20));
        at = end;
    }
    return points;
}

function onCurve(from, n, t) {
    const u = 1 - t;
    return [0, 1].map((k) => u ** 3 * from[k] + 3 * u * u * t * n[k] + 3 * u * t * t * n[2 + k] + t ** 3 * n[4 + k]);
}

test('what leads back is found from the entry, and nothing else', () => {
    assert.deepEqual([...backEdges(3, edgesOf('0>1 1>2 2>0 2>1'), 0)], [0, 0, 1, 1]);
    assert.deepEqual([...backEdges(3, edgesOf('0>1 1>2 2>0'), 1)], [1, 0, 0]);
    assert.deepEqual([...backEdges(4, edgesOf('0>1 0>2 1>3 2>3'), 0)], [0, 0, 0, 0]);
});

test('a rank is the length of the longest way', () => {
    assert.deepEqual(longestPathRanks(4, edgesOf('0>1 1>2 0>2 2>3 0>3'), 0), [0, 1, 2, 3]);
});

test('a step that nothing leads to is just above what follows it', () => {
    assert.deepEqual(longestPathRanks(5, edgesOf('0>1 1>2 2>3 4>3'), 0), [0, 1, 2, 3, 2]);
});

test('edges over several ranks are cut', () => {
    const cut = cutEdges(3, edgesOf('0>1 1>2 0>2'), [0, 1, 2]);
    assert.deepEqual(cut.layers, [[0], [1, 3], [2]]);
    assert.deepEqual(cut.chains, [[0, 1], [1, 2], [0, 3, 2]]);
    assert.equal(cut.pieces.length, 4);
    assert.equal(cut.total, 4);
});

test('crossings that can be avoided are', () => {
    const pieces = edgesOf('0>5 1>4 2>3');
    const below = [[5], [4], [3], [], [], []];
    assert.equal(crossings([[0, 1, 2], [3, 4, 5]], below, 6), 3);
    const layers = reduceCrossings([[0, 1, 2], [3, 4, 5]], pieces, 6);
    assert.equal(crossings(layers, below, 6), 0);
});

test('the nearest places keep order and gaps', () => {
    const at = (...places) => places.map((place) => ({ place, weight: 1 }));
    assert.deepEqual(nearestInOrder(at(0, 100), [10, 10], 5), [0, 100]);
    assert.deepEqual(nearestInOrder(at(50, 50), [10, 10], 10), [40, 60]);
    assert.deepEqual(nearestInOrder([{ place: 0, weight: 3 }, { place: 0, weight: 1 }], [10, 10], 10), [-5, 15]);
});

test('a chain is straight, and the same graph gives the same picture', () => {
    const graph = graphOf(4, '0>1 1>2 2>3');
    const down = layout(graph, 'down');
    assert.deepEqual(down.boxes.map((box) => box.x), [0, 0, 0, 0]);
    assert.equal(down.width, 200);
    const right = layout(graph, 'right');
    assert.deepEqual(right.boxes.map((box) => box.y), [0, 0, 0, 0]);
    assert.equal(right.height, 80);
    assert.deepEqual(layout(graph, 'right'), right);
});

test('arrows lead from box to box, and back where they lead back', () => {
    const { boxes, arrows } = layout(graphOf(2, '0>1 1>0'), 'down');
    assert.deepEqual(arrows.map((arrow) => arrow.back), [false, true]);
    const [there, back] = arrows.map((arrow) => pointsOn(arrow.path));
    assert.equal(there[0][1], boxes[0].y + boxes[0].height);
    assert.equal(there[there.length - 1][1], boxes[1].y);
    assert.equal(back[0][1], boxes[1].y);
    assert.equal(back[back.length - 1][1], boxes[0].y + boxes[0].height);
    assert.notEqual(there[0][0], back[back.length - 1][0], 'the two are side by side');
    assert.equal(arrows[0].head.split(' ')[0], `${there[0][0]},${boxes[1].y}`);
});

test('arrows leave a box side by side, in the order of the boxes that they lead to', () => {
    const { boxes, arrows } = layout(graphOf(4, '0>1 0>2 0>3'), 'down');
    const ends = arrows.map((arrow) => pointsOn(arrow.path)).sort((a, b) => a[0][0] - b[0][0]).map((points) => points[points.length - 1][0]);
    assert.deepEqual(ends, [...ends].sort((a, b) => a - b));
    assert.equal(new Set(arrows.map((arrow) => pointsOn(arrow.path)[0][0])).size, 3);
    assert.deepEqual(ends, boxes.slice(1).map((box) => box.x + box.width / 2).sort((a, b) => a - b));
});

test('a step that leads to itself has a loop at its side', () => {
    const { boxes, arrows, width } = layout(graphOf(2, '0>0 0>1'), 'down');
    const points = pointsOn(arrows[0].path);
    assert.equal(points[0][0], boxes[0].x + boxes[0].width);
    assert.ok(points.every(([x]) => x >= boxes[0].x + boxes[0].width && x <= width));
});

test('no boxes overlap and no arrow passes through a box, in random graphs', () => {
    for (let seed = 1; seed <= 60; ++seed) {
        const graph = randomGraph(seed);
        for (const direction of ['down', 'right']) checkPicture(graph, layout(graph, direction), `seed ${seed}, ${direction}`);
    }
});

function checkPicture(graph, picture, what) {
    const { boxes, arrows } = picture;
    boxes.forEach((box, i) => {
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= picture.width && box.y + box.height <= picture.height, what);
        for (const other of boxes.slice(i + 1)) assert.ok(!overlap(box, other), `${what}: boxes overlap`);
    });
    assert.deepEqual(arrows.map((arrow) => arrow.edge), [...graph.edges.keys()], what);
    const inside = ([x, y], box) => x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1;
    for (const arrow of arrows)
        for (const point of pointsOn(arrow.path)) {
            assert.ok(point.every(Number.isFinite), what);
            assert.ok(!boxes.some((box) => inside(point, box)), `${what}: arrow ${arrow.edge} passes through a box`);
        }
}

test('the direction is the one that fits, and the scale as large as the room', () => {
    const best = (graph, width, height) => bestLayout(graph, width, height, 0.8);
    const chain = graphOf(3, '0>1 1>2');
    assert.equal(best(chain, 1200, 600).direction, 'right');
    assert.equal(best(chain, 600, 600).direction, 'down');
    const wide = graphOf(9, '0>1 0>2 0>3 0>4 0>5 0>6 0>7 0>8');
    assert.equal(best(wide, 700, 900).direction, 'right');
    const picture = best(chain, 1200, 600);
    assert.equal(scaleOf(picture, 1200, 600, 0.8), 1);
    assert.equal(scaleOf(picture, picture.width * 0.9, 600, 0.8), 0.9);
    assert.equal(scaleOf(picture, 100, 600, 0.8), 0.8);
    assert.equal(scaleOf(picture, 1200, picture.height / 2, 0.8), 1, 'what is too high for the room scrolls');
});

test('an empty workflow has an empty picture', () => {
    assert.deepEqual(layout(graphOf(0, ''), 'down').boxes, []);
});
