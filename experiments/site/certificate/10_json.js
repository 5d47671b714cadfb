/** Faults and their places, and the strict JSON of certificates. */
"use strict";
(function (parts) {
// ---------------------------------------------------------------- faults and places

/** The first thing that is wrong, and where. */
class Fault extends Error {
    constructor(at, message) {
        super(message);
        this.place = at === null ? "" : at.toString();
    }
}

/** A place in the document: a member or a position within another place. */
class At {
    constructor(up, key) {
        this.up = up;
        this.key = key;
    }

    toString() {
        const above = this.up === null ? "" : this.up.toString();
        if (typeof this.key === "number") return above + "[" + this.key + "]";
        return above === "" ? this.key : above + "." + this.key;
    }
}

const TOP = null;

function fail(at, message) {
    throw new Fault(at, message);
}

function demand(condition, at, message) {
    if (!condition) fail(at, message);
}

// ---------------------------------------------------------------- strict JSON

const MOST_CHARACTERS = 268435456;
const MOST_VALUES = 16000000;
const MOST_NESTING = 32;
const MOST_INDEX = 100000000;

const OPENED = Symbol("a list or object that goes on");

/** Reads JSON of the few shapes that certificates have; objects become Maps. */
class Reader {
    constructor(text) {
        this.text = text;
        this.position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
        this.values = 0;
        this.ranges = new Map();
    }

    fault(message) {
        const before = this.text.slice(0, this.position);
        const line = before.split("\n").length;
        const column = this.position - before.lastIndexOf("\n");
        throw new Fault(TOP, "line " + line + ", column " + column + ": " + message);
    }

    space() {
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return c;
            this.position++;
        }
    }

    /** The value of the whole text; pauses now and then. */
    *document() {
        const open = [];
        for (;;) {
            if (++this.values > MOST_VALUES) this.fault("more than " + MOST_VALUES + " values");
            if (this.values % 2048 === 0) yield;
            const value = this.value(open);
            if (value === OPENED) continue;
            const whole = this.close(open, value);
            if (whole === OPENED) continue;
            this.space();
            if (this.position !== this.text.length) this.fault("something follows the object");
            return whole;
        }
    }

    /** A text, index or flag, an empty list or object; or opens a list or object. */
    value(open) {
        const c = this.space();
        if (c === 34) return this.string();
        if (c === 91 || c === 123) return this.begin(open, c);
        if (c >= 48 && c <= 57) return this.index();
        return this.word();
    }

    begin(open, c) {
        if (open.length >= MOST_NESTING) this.fault("nested too deeply");
        const value = c === 91 ? [] : new Map();
        this.position++;
        if (this.space() === c + 2) {
            this.position++;
            return value;
        }
        const group = {value, end: c + 2, key: null, from: 0};
        if (c === 123) this.key(group);
        open.push(group);
        return OPENED;
    }

    /** Puts a value into the group that is open, and closes all groups that end here. */
    close(open, value) {
        while (open.length > 0) {
            const group = open[open.length - 1];
            if (group.key === null) group.value.push(value);
            else group.value.set(group.key, value);
            if (open.length === 1) this.ranges.set(group.key, this.text.slice(group.from, this.position));
            const c = this.space();
            if (c !== 44 && c !== group.end) this.fault("expected a comma or " + String.fromCharCode(group.end));
            this.position++;
            if (c === 44) {
                if (group.key !== null) this.key(group);
                return OPENED;
            }
            value = open.pop().value;
        }
        return value;
    }

    /** Reads the next key of an object, and the colon after it. */
    key(group) {
        if (this.space() !== 34) this.fault("expected a key");
        group.key = this.string();
        if (group.value.has(group.key)) this.fault("the key \"" + group.key + "\" stands twice");
        if (this.space() !== 58) this.fault("expected a colon");
        this.position++;
        this.space();
        group.from = this.position;
    }

    index() {
        const found = /[0-9]+/y;
        found.lastIndex = this.position;
        const digits = found.exec(this.text)[0];
        if (digits.length > 1 && digits[0] === "0") this.fault("an index with a leading zero");
        if (digits.length > 9 || Number(digits) > MOST_INDEX) this.fault("an index above " + MOST_INDEX);
        this.position += digits.length;
        if (/[.eE]/.test(this.text.charAt(this.position))) this.fault("an index is an integer without exponent");
        return Number(digits);
    }

    word() {
        for (const [word, value] of [["true", true], ["false", false]]) {
            if (this.text.startsWith(word, this.position)) {
                this.position += word.length;
                return value;
            }
        }
        this.fault("expected a value");
        return undefined;
    }

    string() {
        const from = ++this.position;
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (c === 34) break;
            if (c === 92 || c >= 0xd800 || !(c >= 32)) return this.unusual(from);
            this.position++;
        }
        return this.text.slice(from, this.position++);
    }

    /** A string with escapes or characters beyond the first plane, or a broken one. */
    unusual(from) {
        let found = this.text.slice(from, this.position);
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (!(c >= 32)) this.fault("a string that does not end, or a control character in it");
            this.position++;
            if (c === 34) break;
            found += c === 92 ? this.escape() : String.fromCharCode(c);
        }
        if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(found)) {
            this.fault("half a character in a string");
        }
        return found;
    }

    escape() {
        const c = this.text.charAt(this.position++);
        const simple = "\"\\/bfnrt".indexOf(c);
        if (c !== "" && simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
        const digits = this.text.substr(this.position, 4);
        if (c !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fault("no such escape");
        this.position += 4;
        return String.fromCharCode(parseInt(digits, 16));
    }
}

Object.assign(parts, {Fault, At, TOP, fail, demand, MOST_CHARACTERS, Reader});
})(globalThis.SchedproofCertificateParts ??= {});
