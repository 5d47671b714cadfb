/** SHA-256 (FIPS 180-4). */
"use strict";
(function (parts) {
const ROUND = Uint32Array.from(roundConstants());

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants() {
    return primes(64).map((p) => Number(root3(BigInt(p) << 96n) & 0xffffffffn));
}

function primes(count) {
    const found = [];
    for (let n = 2; found.length < count; n++) {
        if (found.every((p) => n % p !== 0)) found.push(n);
    }
    return found;
}

function rootOf(value, power) {
    let low = 0n;
    let high = 1n << 70n;
    while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (middle ** power <= value) low = middle;
        else high = middle;
    }
    return low;
}

function root3(value) {
    return rootOf(value, 3n);
}

function turn(x, by) {
    return (x >>> by) | (x << (32 - by));
}

function schedule(words, block, offset) {
    for (let i = 0; i < 16; i++) {
        const at = offset + 4 * i;
        words[i] = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
    }
    for (let i = 16; i < 64; i++) {
        const a = words[i - 15];
        const b = words[i - 2];
        const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
}

function compress(state, words) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
}

function padded(bytes) {
    const found = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
    found.set(bytes);
    found[bytes.length] = 128;
    const view = new DataView(found.buffer);
    view.setUint32(found.length - 8, Math.floor(bytes.length / 536870912));
    view.setUint32(found.length - 4, (bytes.length << 3) >>> 0);
    return found;
}

/** The digest in lower-case hexadecimal; pauses now and then. */
function* digestOf(bytes) {
    const state = Uint32Array.from(primes(8), (p) => Number(rootOf(BigInt(p) << 64n, 2n) & 0xffffffffn));
    const words = new Uint32Array(64);
    const blocks = padded(bytes);
    for (let offset = 0; offset < blocks.length; offset += 64) {
        schedule(words, blocks, offset);
        compress(state, words);
        if (offset % 65536 === 0) yield;
    }
    return Array.from(state, (x) => x.toString(16).padStart(8, "0")).join("");
}

function bytesOf(text) {
    return new TextEncoder().encode(text);
}

Object.assign(parts, {digestOf, bytesOf});
})(globalThis.SchedproofCertificateParts ??= {});
