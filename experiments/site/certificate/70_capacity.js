/** The certificate of a load: a decomposition and prices. */
"use strict";
(function (parts) {
const {
    At, Reader, TOP, demand, Rational, bytesOf, digestOf, digestText, listOf, members, ascending, checkLoad, queueingOf,
} = parts;

/** An exact number as instance files have it: 3, 6/8, 0.75 or 1.5e-3. */
function anyNumber(value, at) {
    demand(typeof value === "string", at, "expected a number, as text");
    const parts = /^([+-]?[0-9]+)\/([0-9]{1,1000})$/.exec(value);
    if (parts !== null && /[1-9]/.test(parts[2])) return Rational.of(parts[1].replace("+", ""), parts[2]);
    const decimal = /^([+-]?)([0-9]{0,1000})(?:\.([0-9]{0,1000}))?(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(value);
    demand(decimal !== null && /^[+-]?\.?[0-9]/.test(value), at, "expected an exact number");
    const digits = decimal[2] + (decimal[3] || "");
    const shift = BigInt(Number(decimal[4] || 0) - (decimal[3] || "").length);
    const size = shift < 0n ? Rational.of(digits, 10n ** -shift) : Rational.of(BigInt(digits) * 10n ** shift);
    return decimal[1] === "-" ? size.negated() : size;
}

function positions(things) {
    return new Map(things.map((thing, i) => [thing.name, i]));
}

function byName(value, at, names, what) {
    demand(value instanceof Map, at, "expected an object");
    for (const name of value.keys()) demand(names.has(name), at, "no such " + what + ": " + name);
    return [...names.keys()].map((name) => {
        demand(value.has(name), at, "no price of " + what + " " + name);
        return anyNumber(value.get(name), new At(at, name));
    });
}

function* checkCapacity(document, top) {
    const keys = ["schema", "instance", "instance_digest", "lower", "upper", "decomposition", "type_price", "server_price"];
    members(top, TOP, keys, ["version"]);
    document.kind = "capacity-certificate";
    const at = new At(TOP, "instance");
    demand(document.instanceText !== undefined, at, "not decided: the instance is needed");
    document.model = queueingOf(yield* new Reader(document.instanceText).document(), new At(TOP, "the instance given"));
    demand(top.get("instance") === document.model.name, at, "the instance given is '" + document.model.name + "'");
    const stated = digestText(top.get("instance_digest"), new At(TOP, "instance_digest"));
    const found = yield* digestOf(bytesOf(document.instanceText));
    demand(found === stated, new At(TOP, "instance_digest"), "the digest of the instance given is " + found +
        " (give it as `schedproof show INSTANCE --as json` writes it)");
    document.checked.push("The digest of the instance given is " + found + ".");
    const types = positions(document.model.types);
    const servers = positions(document.model.servers);
    const load = {
        lower: anyNumber(top.get("lower"), new At(TOP, "lower")),
        upper: anyNumber(top.get("upper"), new At(TOP, "upper")),
        typePrice: byName(top.get("type_price"), new At(TOP, "type_price"), types, "type"),
        serverPrice: byName(top.get("server_price"), new At(TOP, "server_price"), servers, "server"),
    };
    load.decomposition = listOf(top.get("decomposition"), new At(TOP, "decomposition"), (item, place) => {
        members(item, place, ["type", "server", "amount"]);
        demand(types.has(item.get("type")), place, "no such type");
        demand(servers.has(item.get("server")), place, "no such server");
        const amount = anyNumber(item.get("amount"), place);
        return {type: types.get(item.get("type")), server: servers.get(item.get("server")), amount};
    });
    ascending(load.decomposition, new At(TOP, "decomposition"));
    yield;
    checkLoad(load, TOP, document.model);
    document.binding = false;
    const bounds = load.lower.equals(load.upper) ? load.lower : "at least " + load.lower + " and at most " + load.upper;
    document.sentence = "The load rho* of '" + document.model.name + "' is " + bounds + ".";
    document.checked.push("The " + load.decomposition.length + " entries of the decomposition and the " +
        (types.size + servers.size) + " prices prove the load, by weak duality.");
}

Object.assign(parts, {checkCapacity});
})(globalThis.SchedproofCertificateParts ??= {});
