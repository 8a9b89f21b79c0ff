// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// A worker in JavaScript: three ways to sort, which perfspec's tests time and compare. include/perfspec/python/PROTOCOL.md is the protocol.
"use strict";
const fs = require("fs");
const readline = require("readline");
const { isDeepStrictEqual } = require("util");

const numbers = Array.from({ length: 20000 }, (_, i) => (i * 7919) % 20011);
const ascending = (a, b) => a - b;
const subjects = new Map([  // name, and what builds the body
    ["copy and sort", () => () => numbers.slice().sort(ascending)],
    ["toSorted", () => () => (numbers.toSorted ? numbers.toSorted(ascending) : [...numbers].sort(ascending))],
    ["unsorted", () => () => numbers.slice()],
]);
const bodies = new Map();

function bodyOf(name) {
    if (!subjects.has(name)) throw new Error(`there is no subject ${name}, there are ${[...subjects.keys()].join(", ")}`);
    if (!bodies.has(name)) bodies.set(name, subjects.get(name)());
    return bodies.get(name);
}

function run({ subject, iterations }) {
    const body = bodyOf(subject), count = Number(iterations);
    if (!(Number.isInteger(count) && count > 0)) throw new Error(`iterations is ${iterations}: it is a whole number from 1`);
    const cpu = process.cpuUsage(), start = process.hrtime.bigint();
    for (let i = 0; i < count; ++i) body();
    const elapsed = process.hrtime.bigint() - start, used = process.cpuUsage(cpu);
    return ["ran", ["iterations", count], ["elapsed_ns", elapsed], ["cpu_ns", (used.user + used.system) * 1000]];
}

function compare({ reference, candidate }) {
    const same = isDeepStrictEqual(bodyOf(reference)(), bodyOf(candidate)());
    return ["compared", ["code", same ? "PASS" : "FAIL"], ["text", `the arrays are ${same ? "equal" : "not equal"}`]];
}

const handlers = { load: ({ subject }) => (bodyOf(subject), ["loaded"]), run, compare };

function parse(line) {
    const [word, ...fields] = line.split(" ").filter(Boolean);
    return [word, Object.fromEntries(fields.map((f) => [f.split("=")[0], decodeURIComponent(f.slice(f.indexOf("=") + 1))]))];
}

function answer(word, request) {
    try {
        if (!Object.hasOwn(handlers, word)) throw new Error(`this worker does not know ${word}, it knows ${Object.keys(handlers).join(", ")}`);
        return handlers[word](request);
    } catch (error) {
        return ["invalid", ["reason", error.message], ["kind", "body_threw"]];
    }
}

function send(channel, [word, ...fields]) {
    const escape = (value) => String(value).replace(/[\x00-\x20%\x7f]/g, (c) => "%" + c.charCodeAt(0).toString(16).padStart(2, "0"));
    const bytes = Buffer.from([word, ...fields.map(([name, value]) => `${name}=${escape(value)}`)].join(" "));
    let checksum = 0xcbf29ce484222325n;  // FNV-1a
    for (const byte of bytes) checksum = BigInt.asUintN(64, (checksum ^ BigInt(byte)) * 0x100000001b3n);
    fs.writeSync(channel, `perfspec-answer 3 ${bytes.length} ${checksum.toString(16).padStart(16, "0")}\n${bytes}\n`);
}

const told = Object.fromEntries(process.env.PERFSPEC_WORKER.split(" ").map((field) => field.split("=")));
delete process.env.PERFSPEC_WORKER;
const answers = Number(told.answers);
send(answers, ["hello", ["protocol", 1], ["language", `JavaScript ${process.version}`], ...[...subjects.keys()].map((name) => ["subject", name])]);
readline.createInterface({ input: fs.createReadStream(null, { fd: Number(told.requests) }) }).on("line", (line) => {
    const [word, request] = parse(line);
    send(answers, [...answer(word, request), ["number", request.number]]);
});
