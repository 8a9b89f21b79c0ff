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
    const body = bodyOf(subject);
    if (!(Number.isInteger(iterations) && iterations > 0)) throw new Error(`iterations is ${iterations}: it is a whole number from 1`);
    const cpu = process.cpuUsage(), start = process.hrtime.bigint();
    for (let i = 0; i < iterations; ++i) body();
    const elapsed_ns = Number(process.hrtime.bigint() - start), used = process.cpuUsage(cpu);
    return { answer: "ran", iterations, elapsed_ns, cpu_ns: (used.user + used.system) * 1000 };
}

function compare({ reference, candidate }) {
    const same = isDeepStrictEqual(bodyOf(reference)(), bodyOf(candidate)());
    return { answer: "compared", code: same ? "PASS" : "FAIL", text: `the arrays are ${same ? "equal" : "not equal"}` };
}

const handlers = { load: ({ subject }) => (bodyOf(subject), { answer: "loaded" }), run, compare };

function answerTo(request) {
    const word = request.request;
    try {
        if (!Object.hasOwn(handlers, word)) throw new Error(`this worker does not know ${word}, it knows ${Object.keys(handlers).join(", ")}`);
        return handlers[word](request);
    } catch (error) {
        return { answer: "error", reason: error.message, kind: "body_threw" };
    }
}

const { answers, requests } = JSON.parse(process.env.PERFSPEC_WORKER);
delete process.env.PERFSPEC_WORKER;
const send = (message) => fs.writeSync(answers, JSON.stringify(message) + "\n");
send({ answer: "hello", protocol: 2, language: `JavaScript ${process.version}`, subjects: [...subjects.keys()] });
readline.createInterface({ input: fs.createReadStream(null, { fd: requests }) }).on("line", (line) => {
    const request = JSON.parse(line);
    send({ ...answerTo(request), number: request.number });
});
