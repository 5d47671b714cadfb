/*
 * Tests of the second certificate checker, experiments/site/certificate/.
 *
 *   node certificate_test.mjs CHECKER DIRECTORY... [--seconds N]
 *
 * CHECKER is its folder, whose files are run as one script, as a page does, or such a script.
 * It must accept every certificate (*.certificate.json, *.load.json) of the directories, and reject every alteration of
 * some of each kind that touches what it says it checks. What it accepts altered must lie where the list NOT_CHECKED
 * below says so, and is counted. N seconds (20) are spent on the alterations of a kind, more while too few are
 * rejected. The instance of NAME.load.json is beside it, as NAME.json. Exit code 1 and a line per failure otherwise.
 */
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, statSync} from "node:fs";
import {basename, dirname, join} from "node:path";
import {runInThisContext} from "node:vm";
import {testHeavyTraffic} from "./heavy_traffic_alterations.mjs";

const FEWEST_REJECTED = 50;

/** In which window the values of a form are told apart bears on nothing but the comparisons. */
const WINDOWS = [/^statement\.forms\[\d+\]\.(low|high)$/];

/**
 * Where the checker says that it checks nothing, by kind: an alteration of the logic that stays right, or a text. Of
 * `dual`, variables of two jobs alike may be exchanged.
 */
const NOT_CHECKED = {
    all: [/^definition$/, /^proofs\[\d+\]\.(root|nodes)/],
    transience: [/^statement\.w\.name$/],
    "heavy-traffic-collapse": WINDOWS,
    "heavy-traffic-upper": [...WINDOWS, /^statement\.(h0|k|tasks\.rest\.g)\./],
    "heavy-traffic-ray": WINDOWS,
    "maxweight-drift": [/^proofs/],
    "uniform-drift": [/^policy$/, /^sentence$/, /^proofs/, /^statement\.(levels|slack)/],
    assignment: [/^policy$/, /^sentence$/, /^proofs/, /^statement\.(problems|bound)/],
    "worst-ratio": [/^policy$/, /^sentence$/, /^proofs/, /^statement\.(makespan|wait|ratio|costs|shapes|approach)/],
    redundancy: [/^policy$/, /^sentence$/, /^proofs/, /^statement\.(statement|problems|bound)/],
    identity: [/^policy$/],
    sharing: [/^policy$/, /^sentence$/, /^proofs/, /^statement\.statement/],
    dual: [/^statement\.alpha$/],
    "dual of fair+r": [/^sentence$/, /^statement/],
    "capacity-certificate": [/^version$/],
};

/** Of another instance, with its own digest, the same may be true; of these kinds everything is decided anew. */
const OTHER_INSTANCE = /^instance/;

/** Spellings that are the same number, where any is allowed. */
const SAME_NUMBER = ["not lowest", "plus"];

let failures = 0;

function expect(condition, message) {
    if (condition) return;
    failures++;
    if (failures <= 40) console.log("FAILED  " + message);
}

// ---------------------------------------------------------------- documents with places

/** Reads JSON into a tree of {path, kind, from, to, items}: the text of every value can be replaced. */
function tree(text) {
    let at = 0;
    const space = () => {
        while (/\s/.test(text[at])) at++;
    };
    const string = () => {
        const found = /"(?:[^"\\]|\\.)*"/y;
        found.lastIndex = at;
        at += found.exec(text)[0].length;
    };
    const value = (path) => {
        space();
        const node = {path, from: at, items: []};
        if (text[at] === "{" || text[at] === "[") group(node, text[at] === "{");
        else if (text[at] === "\"") {
            string();
            node.kind = "text";
        } else {
            while (/[-+.\w]/.test(text[at])) at++;
            node.kind = "word";
        }
        node.to = at;
        return node;
    };
    const group = (node, isObject) => {
        node.kind = isObject ? "object" : "list";
        at++;
        for (space(); text[at] !== "}" && text[at] !== "]"; space()) {
            if (text[at] === ",") at++;
            space();
            node.items.push(isObject ? member(node.path) : value(node.path + "[" + node.items.length + "]"));
        }
        at++;
    };
    const member = (path) => {
        const from = at;
        string();
        const key = JSON.parse(text.slice(from, at));
        space();
        at++;
        const found = value(path === "" ? key : path + "." + key);
        return {...found, start: from, key};
    };
    return value("");
}

function* nodes(node) {
    yield node;
    for (const item of node.items) yield* nodes(item);
}

// ---------------------------------------------------------------- alterations

function replaced(text, node, by) {
    return text.slice(0, node.from) + by + text.slice(node.to);
}

function start(node) {
    return node.start === undefined ? node.from : node.start;
}

/** Other texts for a number, an index, a flag or a text. */
function otherWords(text) {
    if (text === "true") return {flipped: "false"};
    if (text === "false") return {flipped: "true"};
    if (/^\d+$/.test(text)) {
        return {"one more": String(Number(text) + 1), "with a point": text + ".0", zeros: "0" + text};
    }
    const number = /^"(-?\d+)(?:\/(\d+))?"$/.exec(text);
    if (number === null) return {"other text": JSON.stringify(JSON.parse(text) + "x"), empty: "\"\""};
    const [n, d] = [BigInt(number[1]), number[2] === undefined ? 1n : BigInt(number[2])];
    const spelled = d === 1n ? "\"" + n + "/1\"" : "\"" + 2n * n + "/" + 2n * d + "\"";
    const more = "\"" + (n + d) + (d === 1n ? "" : "/" + d) + "\"";
    const words = {more, "not lowest": spelled, plus: "\"+" + text.slice(1)};
    if (n !== 0n) words.negated = n < 0n ? "\"" + text.slice(2) : "\"-" + text.slice(1);
    return words;
}

/** Every alteration of one place: {path, what, make}, the last a function that gives the text. */
function* alterations(text, root) {
    for (const node of nodes(root)) {
        if (node.items.length === 0 && (node.kind === "text" || node.kind === "word")) {
            const words = otherWords(text.slice(node.from, node.to));
            for (const what of Object.keys(words)) {
                yield {path: node.path, what, make: () => replaced(text, node, words[what])};
            }
        }
        if (node.kind === "object") {
            const path = node.path === "" ? "surplus" : node.path;
            const surplus = "{\"surplus\": 1" + (node.items.length > 0 ? "," : "");
            const make = () => text.slice(0, node.from) + surplus + text.slice(node.from + 1);
            yield {path, what: "unknown member", make};
        }
        yield* orders(text, node);
    }
}

/** Items of a list or object that are removed, doubled or exchanged. */
function* orders(text, node) {
    const {items} = node;
    for (let i = 0; i < items.length; i++) {
        const item = items[i];
        const from = i > 0 ? items[i - 1].to : start(item);
        const to = i > 0 || items.length === 1 ? item.to : start(items[1]);
        yield {path: item.path, what: "removed", make: () => text.slice(0, from) + text.slice(to)};
        const own = text.slice(start(item), item.to);
        const doubled = () => text.slice(0, item.to) + ", " + own + text.slice(item.to);
        yield {path: item.path, what: "doubled", make: doubled};
        if (node.kind !== "list" || i === 0) continue;
        const before = items[i - 1];
        const other = text.slice(before.from, before.to);
        if (own === other) continue;
        const between = [before.to, item.from];
        yield {path: node.path, what: "exchanged", make: () => text.slice(0, before.from) + own +
            text.slice(...between) + other + text.slice(item.to)};
    }
}

function member(root, key) {
    return root.items.find((item) => item.key === key);
}

/** The same document with the digest that its bytes now have, so that more than the digest is tested. */
function digested(text) {
    let root;
    try {
        JSON.parse(text);
        root = tree(text);
    } catch {
        return text;
    }
    const [instance, digest, statement] = ["instance", "instance-digest", "statement"].map((key) => member(root, key));
    if (!instance || !digest || !statement) return text;
    const own = text.slice(instance.from, instance.to);
    const isDual = text.includes("\"theorem\": \"dual\"");
    const bytes = isDual ? own + text.slice(statement.from, statement.to) : own.replace(/\n {2}/g, "\n") + "\n";
    return replaced(text, digest, "\"" + createHash("sha256").update(bytes).digest("hex") + "\"");
}

// ---------------------------------------------------------------- files

function options(file, text) {
    const found = {};
    const digest = /"table": "([0-9a-f]{64})"/.exec(text);
    if (digest !== null) found.table = new Uint8Array(readFileSync(join(dirname(file), digest[1] + ".table")));
    if (file.endsWith(".load.json")) found.instance = readFileSync(file.replace(/\.load\.json$/, ".json"), "utf8");
    return found;
}

function checkerOf(path) {
    const names = statSync(path).isDirectory() ? readdirSync(path).filter((name) => name.endsWith(".js")).sort() : [""];
    const script = names.map((name) => readFileSync(join(path, name), "utf8")).join("");
    runInThisContext(script, {filename: path});
    return globalThis.SchedproofCertificate;
}

function filesOf(directory) {
    const names = readdirSync(directory).filter((name) => /\.(certificate|load)\.json$/.test(name));
    return names.sort().map((name) => join(directory, name));
}

// ---------------------------------------------------------------- tests

function testDigests(checker) {
    const million = new Uint8Array(1000000).fill(97);
    const vectors = [
        ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
        ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
        ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
        [million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
    ];
    for (const [message, digest] of vectors) {
        const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message;
        expect(checker.sha256(bytes) === digest, "SHA-256 of " + bytes.length + " bytes");
    }
    for (let length = 0; length < 200; length++) {
        const bytes = Uint8Array.from({length}, (_, i) => (i * 37 + length) % 256);
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(checker.sha256(bytes) === digest, "SHA-256 of " + length + " bytes");
    }
}

/** The kind, or the part of it of which less or more is checked. */
function groupOf(kind, text) {
    if (kind === "dual" && text.includes("\"policy\": \"fair+r\"")) return "dual of fair+r";
    if (kind === "any-policy" && text.includes("\"time\": \"continuous\"")) {
        return kind + (text.includes("\"preemption\": \"resume\"") ? " preempting" : " in time");
    }
    if (kind === "redundancy" && /"lemmas": \[\[/.test(text)) return "identity";
    return kind;
}

/** Accepts every file; returns the files by kind. */
function testAccepted(checker, files) {
    const kinds = new Map();
    for (const file of files) {
        const text = readFileSync(file, "utf8");
        const begin = Date.now();
        const found = checker.check(text, options(file, text));
        const time = Date.now() - begin;
        expect(found.accepted, basename(file) + " is not accepted: " + found.reason);
        expect(found.checked.length > 0, basename(file) + ": nothing is said to be checked");
        const name = groupOf(found.kind, text);
        if (!kinds.has(name)) kinds.set(name, {files: [], slowest: 0, bytes: 0});
        const kind = kinds.get(name);
        kind.files.push({file, size: text.length + (options(file, text).table || []).length});
        kind.bytes = Math.max(kind.bytes, text.length);
        kind.slowest = Math.max(kind.slowest, time);
    }
    for (const [kind, {files: all, slowest, bytes}] of kinds) {
        console.log("accepted  " + kind.padEnd(20) + " " + String(all.length).padStart(4) + " files, largest " + bytes +
            " bytes, slowest " + slowest + " ms");
    }
    return kinds;
}

/** Alters the smallest files of a kind in every place, as long as there is time. */
function testRejected(checker, kind, files, seconds) {
    const until = Date.now() + 1000 * seconds;
    const counts = {rejected: 0, "not checked": 0, "another instance": 0, "the same number": 0};
    const where = new Map();
    const chosen = files.sort((a, b) => a.size - b.size).filter(distinctStatement()).slice(0, 12);
    chosen.forEach(({file}, i) => {
        const share = Date.now() + (until - Date.now()) / (chosen.length - i);
        alterFile(checker, kind, file, share, counts, where);
    });
    expect(counts.rejected >= FEWEST_REJECTED, kind + ": only " + counts.rejected + " alterations were rejected");
    console.log("altered   " + kind.padEnd(20) + " " + chosen.length + " files: " +
        Object.keys(counts).map((group) => counts[group] + " " + group).join(", "));
    for (const [place, count] of [...where].sort()) console.log("            " + place + ": " + count);
}

/** Lets two files pass of each statement, so that the smallest ones are not all alike. */
function distinctStatement() {
    const seen = new Map();
    return ({file}) => {
        const found = /"statement": "([a-z0-9-]+)"/.exec(readFileSync(file, "utf8"));
        const name = found === null ? "" : found[1];
        seen.set(name, (seen.get(name) || 0) + 1);
        return name === "" || seen.get(name) <= 2;
    };
}

function alterFile(checker, kind, file, until, counts, where) {
    const text = readFileSync(file, "utf8");
    const given = options(file, text);
    const all = [...alterations(text, tree(text))];
    const stride = coprime(all.length);
    for (let i = 0; i < all.length && (Date.now() < until || counts.rejected < FEWEST_REJECTED); i++) {
        const altered = all[(i * stride) % all.length];
        const other = altered.make();
        if (other === text) continue;
        judge(checker.check(other, given), altered, "");
        if (!/^(instance|statement)[.[]/.test(altered.path)) continue;
        const renewed = digested(other);
        if (renewed !== other) judge(checker.check(renewed, given), altered, ", digest renewed");
    }

    function judge(found, {path, what}, how) {
        if (!found.accepted) {
            counts.rejected++;
            expect(!/^not decided/.test(found.reason), path + ": " + found.reason);
            return;
        }
        const listed = NOT_CHECKED.all.concat(NOT_CHECKED[kind] || []).some((pattern) => pattern.test(path));
        const renewed = how !== "" && OTHER_INSTANCE.test(path);
        const spelled = kind === "capacity-certificate" && SAME_NUMBER.includes(what);
        expect(listed || renewed || spelled, basename(file) + ": accepted with " + path + " " + what + how);
        const group = renewed ? "another instance" : spelled ? "the same number" : "not checked";
        counts[group]++;
        if (group !== "not checked") return;
        const place = path.replace(/\[\d+\]/g, "[]") + " " + what;
        where.set(place, (where.get(place) || 0) + 1);
    }
}

/** A stride that visits all of `count` places, neighbours far apart. */
function coprime(count) {
    const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
    let stride = Math.max(1, Math.floor(count * 0.618));
    while (divisor(count, stride) !== 1) stride++;
    return stride;
}

/** Tables with a byte altered, cut or lengthened, also under their new digest. */
function testTables(checker, file) {
    const text = readFileSync(file, "utf8");
    const {table} = options(file, text);
    let rejected = 0;
    for (let i = 0; i < 60; i++) {
        const position = Math.floor((i * table.length) / 60);
        const bytes = table.slice();
        bytes[position] ^= 1 << (i % 7);
        for (const altered of [bytes, table.slice(0, position), Uint8Array.from([...table, 0])]) {
            const plain = checker.check(text, {table: altered});
            expect(!plain.accepted, basename(file) + ": a table altered at byte " + position);
            const digest = createHash("sha256").update(altered).digest("hex");
            const renewed = text.replace(/"table": "[0-9a-f]{64}"/, "\"table\": \"" + digest + "\"");
            const found = checker.check(renewed, {table: altered});
            rejected += 1 + (found.accepted ? 0 : 1);
        }
    }
    expect(rejected >= 300, basename(file) + ": only " + rejected + " of 360 altered tables were rejected");
    console.log("altered   table of " + basename(file) + ": " + rejected +
        " of 360 rejected, 180 of these by their digest");
}

/** The asynchronous variant gives the same answer, and lets others run in between. */
async function testAsync(checker, file) {
    const text = readFileSync(file, "utf8");
    const given = options(file, text);
    let turns = 0;
    let longest = 0;
    let last = Date.now();
    const clock = setInterval(() => {
        turns++;
        longest = Math.max(longest, Date.now() - last);
        last = Date.now();
    }, 1);
    const fractions = [];
    const found = await checker.checkAsync(text, {...given, slice: 10, progress: (f) => fractions.push(f)});
    clearInterval(clock);
    const same = JSON.stringify(found) === JSON.stringify(checker.check(text, given));
    expect(same, basename(file) + ": the asynchronous answer is another one");
    expect(fractions.every((f, i) => f >= 0 && f <= 1 && (i === 0 || f >= fractions[i - 1])), "progress falls");
    console.log("async     " + basename(file) + ": " + turns + " other turns, at most " + longest + " ms without one");
}

const words = process.argv.slice(2);
const flag = words.indexOf("--seconds");
const seconds = flag < 0 ? 20 : Number(words.splice(flag, 2)[1]);
const [path, ...directories] = words;
const checker = checkerOf(path);
const files = directories.flatMap(filesOf);
expect(files.length > 0, "there are no certificates");
testDigests(checker);
const kinds = testAccepted(checker, files);
for (const [kind, {files: all}] of kinds) testRejected(checker, kind, all, seconds);
const heavy = files.map((file) => readFileSync(file, "utf8")).filter((text) => text.includes("\"heavy-traffic-"));
if (heavy.length > 0) testHeavyTraffic(checker, heavy, expect);
for (const [kind, {files: all}] of kinds) {
    if (kind.startsWith("any-policy")) testTables(checker, all.sort((a, b) => a.size - b.size)[0].file);
}
if (files.length > 0) await testAsync(checker, files.sort((a, b) => statSync(b).size - statSync(a).size)[0]);
console.log(failures === 0 ? "passed" : failures + " failures");
process.exit(failures === 0 ? 0 : 1);
