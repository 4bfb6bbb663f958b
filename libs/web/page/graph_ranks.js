// The ranks of a graph and the order of the nodes in each: the first half of the layout in graph_layout.js. Pure.
//
// Nodes are numbers from 0. An edge is {from, to}; a loop, from a node to itself, must not be among them.

// Which edges lead back to a node from which a search on the way came. Without these edges there is no cycle.
// The search begins at `entry`, so that what leads back is what a reader of the workflow would call so.
export function backEdges(count, edges, entry) {
    const out = outgoing(count, edges);
    const state = new Uint8Array(count);  // 1: on the way, 2: finished
    const back = new Uint8Array(edges.length);
    for (const start of [entry, ...Array(count).keys()]) {
        if (state[start] !== 0) continue;
        const way = [{ node: start, next: 0 }];
        state[start] = 1;
        while (way.length > 0) {
            const top = way[way.length - 1];
            if (top.next === out[top.node].length) {
                state[top.node] = 2;
                way.pop();
                continue;
            }
            const edge = out[top.node][top.next++];
            const to = edges[edge].to;
            if (state[to] === 1) back[edge] = 1;
            if (state[to] !== 0) continue;
            state[to] = 1;
            way.push({ node: to, next: 0 });
        }
    }
    return back;
}

function outgoing(count, edges) {
    const out = Array.from({ length: count }, () => []);
    edges.forEach((edge, index) => out[edge.from].push(index));
    return out;
}

// The rank of a node is the length of the longest way to it. A node without a way to it, other than the entry, is one
// rank above the nodes that follow it, not at the top. `edges` have no cycle.
export function longestPathRanks(count, edges, entry) {
    const ranks = new Array(count).fill(0);
    const missing = new Array(count).fill(0);
    for (const edge of edges) missing[edge.to]++;
    const sources = [...Array(count).keys()].filter((node) => missing[node] === 0);
    const out = outgoing(count, edges);
    const ready = [...sources];
    for (let i = 0; i < ready.length; ++i)
        for (const index of out[ready[i]]) {
            const to = edges[index].to;
            ranks[to] = Math.max(ranks[to], ranks[ready[i]] + 1);
            if (--missing[to] === 0) ready.push(to);
        }
    for (const node of sources)
        if (node !== entry && out[node].length > 0)
            ranks[node] = Math.min(...out[node].map((index) => ranks[edges[index].to])) - 1;
    return ranks;
}

// Cuts each edge into pieces from one rank to the next, with a bend, a node without a box, in each rank between. Returns
// `layers`: the nodes of each rank; `pieces`: {from, to}; `chains`: the nodes of each edge, from its upper end to its
// lower end. Bends are numbered from `count` on; `total` is the number of nodes and bends.
export function cutEdges(count, edges, ranks) {
    const layers = Array.from({ length: count === 0 ? 0 : Math.max(...ranks) + 1 }, () => []);
    ranks.forEach((rank, node) => layers[rank].push(node));
    const pieces = [];
    let total = count;
    const chains = edges.map((edge) => {
        const chain = [edge.from];
        for (let rank = ranks[edge.from] + 1; rank < ranks[edge.to]; ++rank) {
            layers[rank].push(total);
            chain.push(total++);
        }
        chain.push(edge.to);
        for (let i = 1; i < chain.length; ++i) pieces.push({ from: chain[i - 1], to: chain[i] });
        return chain;
    });
    return { layers, pieces, chains, total };
}

// Orders the nodes of each layer so that few pieces cross: sweeps down and up, in which each node goes to the mean place
// of its neighbours in the layer before. The best order that was seen is returned.
export function reduceCrossings(layers, pieces, total, sweeps = 12) {
    const above = neighbours(total, pieces, 'to', 'from');
    const below = neighbours(total, pieces, 'from', 'to');
    let best = layers;
    let fewest = crossings(layers, below, total);
    let current = layers.map((layer) => [...layer]);
    for (let sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
        const down = sweep % 2 === 0;
        const places = placesOf(current, total);
        for (let i = 1; i < current.length; ++i) {
            const at = down ? i : current.length - 1 - i;
            sortByMean(current[at], down ? above : below, places);
        }
        const count = crossings(current, below, total);
        if (count >= fewest) continue;
        fewest = count;
        best = current.map((layer) => [...layer]);
    }
    return best;
}

function neighbours(total, pieces, own, other) {
    const lists = Array.from({ length: total }, () => []);
    for (const piece of pieces) lists[piece[own]].push(piece[other]);
    return lists;
}

function placesOf(layers, total) {
    const places = new Array(total).fill(0);
    for (const layer of layers) layer.forEach((node, place) => (places[node] = place));
    return places;
}

function sortByMean(layer, lists, places) {
    const mean = new Map();
    for (const node of layer) {
        const list = lists[node];
        mean.set(node, list.length === 0 ? places[node] : list.reduce((sum, n) => sum + places[n], 0) / list.length);
    }
    layer.sort((a, b) => mean.get(a) - mean.get(b) || places[a] - places[b]);
    layer.forEach((node, place) => (places[node] = place));
}

// How many pairs of pieces cross.
export function crossings(layers, below, total) {
    const places = placesOf(layers, total);
    let count = 0;
    for (const layer of layers) {
        const seen = [];  // the lower ends of the pieces of the nodes to the left
        for (const node of layer) {
            const ends = below[node].map((n) => places[n]);
            for (const end of ends) for (const left of seen) if (left > end) count++;
            seen.push(...ends);
        }
    }
    return count;
}
