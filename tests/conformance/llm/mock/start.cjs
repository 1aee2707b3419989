// Starts the independent mock (@copilotkit/aimock) on a free loopback port and prints it.
// Its CommonJS form is used because that one also runs on Node 18.
"use strict";
const { LLMock } = require("@copilotkit/aimock");

const text = "SELECT COUNT(*) AS n\nFROM Employee -- größe ✓";
const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 7, logLevel: "silent" });

// Matched by what the question contains; the first fixture that matches answers.
mock.addFixtures([
  { match: { userMessage: "plain" }, response: { content: text } },
  { match: { userMessage: "structured", responseFormat: "json_schema" },
    response: { content: '{"sql":"SELECT 1"}' } },
  { match: { userMessage: "limited", sequenceIndex: 0 },
    response: { error: { message: "Slow down", type: "rate_limit_error", code: "rate_limit_exceeded" }, status: 429 } },
  { match: { userMessage: "limited", sequenceIndex: 1 },
    response: { error: { message: "Trouble", type: "server_error" }, status: 503 } },
  { match: { userMessage: "limited" }, response: { content: text } },
  { match: { userMessage: "always busy" },
    response: { error: { message: "Slow down", type: "rate_limit_error" }, status: 429 } },
  { match: { userMessage: "quota" },
    response: { error: { message: "You exceeded your current quota", code: "insufficient_quota" }, status: 429 } },
  { match: { userMessage: "server error" },
    response: { error: { message: "Internal error", type: "server_error" }, status: 500 } },
  { match: { userMessage: "bad key" },
    response: { error: { message: "Incorrect API key provided", code: "invalid_api_key" }, status: 401 } },
  { match: { userMessage: "no model" },
    response: { error: { message: "The model does not exist", code: "model_not_found" }, status: 404 } },
  { match: { userMessage: "too long" },
    response: { error: { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" }, status: 400 } },
  { match: { userMessage: "refused" },
    response: { error: { message: "Your request was odd", type: "invalid_request_error" }, status: 400 } },
  { match: { userMessage: "malformed" }, response: { content: text }, chaos: { malformedRate: 1 } },
  { match: { userMessage: "disconnect" }, response: { content: text }, chaos: { disconnectRate: 1 } },
  { match: { userMessage: "broken off" }, response: { content: text }, truncateAfterChunks: 3 },
  { match: { userMessage: "slow" }, response: { content: text }, latency: 60000 },
  { match: { userMessage: "halting" }, response: { content: text }, latency: 20 },
  { match: { userMessage: "tool", toolName: "reply" },
    response: { toolCalls: [{ name: "reply", arguments: '{"sql":"SELECT 1"}' }] } },
]);

mock.start().then((url) => console.log(new URL(url).port));
