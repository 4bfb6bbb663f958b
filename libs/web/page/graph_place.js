// Where the nodes of ordered layers go across the direction of the graph: the second half of the layout in
// graph_layout.js. Pure.

const straightness = { ends: 1, oneBend: 2, bends: 8 };  // how much a piece between them is to be straight

// The centre of each node, so that pieces are as straight as the sizes and the order of the layers allow; the smallest
// side is at 0, and places are whole. `sizes`: of each node; `gap`: between neighbours of a layer; nodes from `real` on are bends.
export function place(layers, pieces, sizes, gap, real) {
    const centres = new Array(sizes.length).fill(0);
    for (const layer of layers) pack(layer, sizes, gap, centres);
    const above = weighted(sizes.length, pieces, 'to', 'from', real);
    const below = weighted(sizes.length, pieces, 'from', 'to', real);
    const both = above.map((list, node) => [...list, ...below[node]]);
    const downwards = [...layers];
    const upwards = [...layers].reverse();
    for (let sweep = 0; sweep < 8; ++sweep) {
        for (const layer of downwards) moveToNeighbours(layer, above, sizes, gap, centres);
        for (const layer of upwards) moveToNeighbours(layer, below, sizes, gap, centres);
    }
    for (let sweep = 0; sweep < 4; ++sweep)
        for (const layer of downwards) moveToNeighbours(layer, both, sizes, gap, centres);
    const smallest = Math.min(...centres.map((centre, node) => centre - sizes[node] / 2));
    return centres.map((centre) => Math.ceil(centre - smallest - 0.001));
}

function pack(layer, sizes, gap, centres) {
    let side = 0;
    for (const node of layer) {
        centres[node] = side + sizes[node] / 2;
        side += sizes[node] + gap;
    }
}

function weighted(total, pieces, own, other, real) {
    const lists = Array.from({ length: total }, () => []);
    for (const piece of pieces) {
        const bends = (piece.from >= real ? 1 : 0) + (piece.to >= real ? 1 : 0);
        const weight = [straightness.ends, straightness.oneBend, straightness.bends][bends];
        lists[piece[own]].push({ node: piece[other], weight });
    }
    return lists;
}

// Moves each node of the layer as near to the mean place of its neighbours as the others let it.
function moveToNeighbours(layer, lists, sizes, gap, centres) {
    const wanted = layer.map((node) => {
        let sum = 0;
        let weight = 0;
        for (const neighbour of lists[node]) {
            sum += centres[neighbour.node] * neighbour.weight;
            weight += neighbour.weight;
        }
        return weight === 0 ? { place: centres[node], weight: 0.01 } : { place: sum / weight, weight };
    });
    const places = nearestInOrder(wanted, layer.map((node) => sizes[node]), gap);
    layer.forEach((node, i) => (centres[node] = places[i]));
}

// The places with the least sum of weighted squares of their distances from the wanted ones, among those that keep the
// order and the gaps. Neighbours that would overlap become a block, which moves as one.
export function nearestInOrder(wanted, sizes, gap) {
    const offsets = [0];
    for (let i = 1; i < sizes.length; ++i) offsets.push(offsets[i - 1] + sizes[i - 1] / 2 + gap + sizes[i] / 2);
    const blocks = [];
    wanted.forEach(({ place: at, weight }, i) => {
        let block = { sum: (at - offsets[i]) * weight, weight, count: 1 };
        while (blocks.length > 0 && mean(blocks[blocks.length - 1]) > mean(block)) {
            const before = blocks.pop();
            block = { sum: before.sum + block.sum, weight: before.weight + block.weight, count: before.count + block.count };
        }
        blocks.push(block);
    });
    const moved = blocks.flatMap((block) => new Array(block.count).fill(mean(block)));
    return moved.map((at, i) => at + offsets[i]);
}

function mean(block) {
    return block.sum / block.weight;
}
