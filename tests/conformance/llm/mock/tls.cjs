// A server of our own with TLS, which the independent mock does not offer: HTTP/2 or, when
// called with "1.1", only HTTP/1.1. Prints its port, then the path of its certificate. The
// reply says how many connections have been opened so far, how long the first message was that
// arrived, and what the last one said.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const http2 = require("node:http2");
const https = require("node:https");
const os = require("node:os");
const path = require("node:path");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-tls-"));
const key = path.join(folder, "key.pem");
const certificate = path.join(folder, "certificate.pem");
execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
  "-nodes", "-days", "2", "-keyout", key, "-out", certificate, "-subj", "/CN=localhost",
  "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], { stdio: "ignore" });
const options = { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) };
fs.rmSync(key);

let connections = 0;
const answer = (req, res) => {
  let body = "";
  req.on("data", (piece) => { body += piece; });
  req.on("end", () => setTimeout(() => {
    const messages = JSON.parse(body).messages;
    const content = `${req.httpVersion} ${connections} ${messages[0].content.length} ${messages.at(-1).content}`;
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.end(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\ndata: [DONE]\n\n`);
  }, 100));
};
const server = process.argv[2] === "1.1"
  ? https.createServer(options, answer)
  : http2.createSecureServer({ ...options, settings: { maxConcurrentStreams: 100 } }, answer);
server.on("secureConnection", () => { connections++; });
server.listen(0, "127.0.0.1", () => console.log(`${server.address().port}\n${certificate}`));
process.on("SIGTERM", () => {
  fs.rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
