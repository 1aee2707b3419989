#!/usr/bin/env node
// Starts the program of the package for this platform, which npm installed beside this one.
'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');

const name = `@dragoman/${process.platform}-${process.arch}`;

function program() {
    try {
        return path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'dragoman');
    } catch {
        return null;
    }
}

const file = program();
if (!file) {
    console.error(`dragoman: there is no package ${name}. dragoman runs on Linux with x64 processors;`);
    console.error('if yours is one, install again without --omit=optional.');
    process.exit(1);
}

const child = spawn(file, process.argv.slice(2), { stdio: 'inherit' });
// a terminal sends Ctrl-C to both; the program decides what it means
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
    console.error(`dragoman: ${error.message}`);
    process.exit(1);
});
child.on('exit', (status, signal) => {
    if (signal) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
    } else {
        process.exit(status);
    }
});
