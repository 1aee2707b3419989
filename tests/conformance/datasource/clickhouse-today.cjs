// The ClickHouse engine of today behind a small HTTP front of ours, for the suite.
//   node clickhouse-today.cjs ENGINE FOLDER PORT PROCESS
// It shows what SQL and values are like in today's dialect; statuses, headers and streaming are
// ours and prove nothing about a server. Ends with the process that is named.
'use strict';
const http = require('http');
const path = require('path');

const [engine, folder, port, owner] = process.argv.slice(2);
const chdb = require(path.join(engine, 'chdb_node.node'));
const connection = chdb.CreateConnection(folder);

setInterval(() => {
    try {
        process.kill(Number(owner), 0);
    } catch {
        process.exit(0);
    }
}, 500);

// Settings of the request become settings of the statement, where it can have some.
function statement(sql, query) {
    const settings = [];
    for (const [name, value] of query) {
        if (!['database', 'default_format', 'query_id', 'user', 'password'].includes(name)) {
            settings.push(`${name} = ${/^[0-9]+$/.test(value) ? value : `'${value}'`}`);
        }
    }
    const plain = sql.replace(/;\s*$/, '');
    return settings.length && /^\s*(select|with|describe|explain)\b/i.test(plain)
        ? `${plain}\nSETTINGS ${settings.join(', ')}` : plain;
}

http.createServer((request, response) => {
    const pieces = [];
    request.on('data', piece => pieces.push(piece));
    request.on('end', () => {
        const query = new URL(request.url, 'http://x').searchParams;
        const sql = Buffer.concat(pieces).toString();
        try {
            chdb.QueryWithConnection(connection, `USE \`${query.get('database') || 'default'}\``, 'Null');
            const answer = sql
                ? chdb.QueryWithConnection(connection, statement(sql, query), query.get('default_format') || 'TabSeparated')
                : 'Ok.\n';
            response.end(answer);
        } catch (error) {
            response.statusCode = 500;
            response.end(`${error.message.replace(/^Query failed: /, '')} (version 26.7)\n`);
        }
    });
}).listen(Number(port), '127.0.0.1');
