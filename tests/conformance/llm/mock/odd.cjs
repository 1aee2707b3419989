// A server of our own for what the independent mock does not do: Retry-After, a stream that
// never ends, silence, token counts in a stream, a reply cut at its token limit, one byte at
// a time, a redirect.
"use strict";
const http = require("node:http");

const delta = (text) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 321, completion_tokens: 12 } })}\n\n`;
let limited = 0;

const ways = {
  "retry after"(res) {
    limited++;
    if (limited === 1) {
      res.writeHead(429, { "Retry-After": "1" }).end('{"error":{"message":"wait"}}');
    } else {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.end(delta("waited") + usage + "data: [DONE]\n\n");
    }
  },
  endless(res) {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    const more = () => {
      while (!res.destroyed && res.write(delta("and on ".repeat(20)))) { /* fill the pipe */ }
    };
    res.on("drain", more);
    more();
  },
  silence() { /* the connection stays open, nothing comes */ },
  crumbs(res) {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    const bytes = Buffer.from(": hello\r\n\r\n" + delta("größe") + delta(" ✓") + usage + "data: [DONE]");
    let at = 0;
    const next = () => {
      if (at < bytes.length) {
        res.write(bytes.subarray(at, ++at));
        setImmediate(next);
      } else {
        res.end();
      }
    };
    next();
  },
  cut(res) {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.end(delta("SELECT") + 'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n');
  },
  redirect(res) {
    res.writeHead(302, { Location: "/elsewhere" }).end();
  },
};

const server = http.createServer((req, res) => {
  let body = "";
  req.on("data", (piece) => { body += piece; });
  req.on("end", () => {
    const messages = JSON.parse(body).messages;
    const way = ways[messages[messages.length - 1].content];
    if (way) {
      way(res);
    } else {
      res.writeHead(404).end();
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
