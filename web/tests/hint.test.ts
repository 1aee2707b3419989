import { describe, expect, it } from "vitest";
import { hintFor } from "../src/logic/hint";

const own = { LLM_NOT_CONFIGURED: "Ask an administrator." };

describe("hintFor", () => {
  it("keeps a hint that a visitor of the page can follow", () => {
    expect(hintFor({ code: "TIMEOUT", message: "x", hint: "Narrow the question." }, own)).toBe("Narrow the question.");
  });
  it("replaces a hint that names a command or an environment variable", () => {
    const hint = "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_HOST, or llm.url in dragoman.yaml.";
    expect(hintFor({ code: "LLM_NOT_CONFIGURED", message: "x", hint }, own)).toBe("Ask an administrator.");
  });
  it("shows nothing when the page has no hint of its own", () => {
    expect(hintFor({ code: "KEY_NOT_FOUND", message: "x", hint: "'dragoman keys list' shows them." }, own)).toBeUndefined();
    expect(hintFor({ code: "X", message: "x" }, own)).toBeUndefined();
  });
});
