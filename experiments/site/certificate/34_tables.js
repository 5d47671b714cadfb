/** The files of tables that certificates name by their digest. */
"use strict";
(function (parts) {
const {At, TOP, demand, magnitude, bytesOf, digestOf} = parts;

const TABLE_HEAD = "schedproof table 1\n";

/**
 * The columns of the file of tables, whose digest must be right, with a row for each state or, where states share rows,
 * at most as many; pauses now and then.
 */
function* readTable(document, digest, states, columns, shared = false) {
    const at = new At(TOP, "table");
    const bytes = document.table;
    const found = yield* digestOf(bytes);
    demand(found === digest, at, "the digest of the table is " + found);
    const head = bytesOf(TABLE_HEAD);
    demand(bytes.length > head.length && head.every((b, i) => bytes[i] === b), at, "it does not begin as a table does");
    const cursor = {bytes, position: head.length};
    const stated = natural(cursor, at);
    const right = shared ? stated >= 1n && stated <= BigInt(states) : stated === BigInt(states);
    demand(right, at, "the table has " + stated + " rows, and not " + (shared ? "at most " : "") + states);
    const rows = Number(stated);
    const all = [];
    for (let column = 0; column < columns; column++) {
        const entries = new Array(rows);
        let last = 0n;
        for (let row = 0; row < rows; row++) {
            const n = natural(cursor, at);
            last += n & 1n ? -((n + 1n) >> 1n) : n >> 1n;
            demand(magnitude(last) < 1n << 127n, at, "an entry does not fit 128 bits");
            entries[row] = last;
            if (row % 4096 === 0) yield;
        }
        all.push(entries);
    }
    demand(cursor.position === bytes.length, at, "something follows the last entry");
    return all;
}

function natural(cursor, at) {
    let value = 0n;
    let small = 0;
    let shift = 0;
    for (;;) {
        demand(cursor.position < cursor.bytes.length, at, "the table ends too early");
        const byte = cursor.bytes[cursor.position++];
        if (shift < 42) small += (byte & 127) * 2 ** shift;
        else value += BigInt(byte & 127) << BigInt(shift);
        shift += 7;
        if (byte < 128) {
            demand(byte !== 0 || shift === 7, at, "a number ends with a byte of 0");
            return value + BigInt(small);
        }
        demand(shift < 140, at, "a number does not end");
    }
}

Object.assign(parts, {readTable});
})(globalThis.SchedproofCertificateParts ??= {});
