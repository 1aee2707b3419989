import { describe, expect, it } from "vitest";
import { EventReader } from "../src/api/sse";

describe("server-sent events", () => {
  it("reads events whole, in whatever pieces they come", () => {
    const text = ': hi\n\nid: 7\nevent: status\ndata: {"a":1}\ndata: more\n\ndata: x\r\n\r\n';
    for (let size = 1; size <= text.length; size++) {
      const reader = new EventReader();
      const events = [];
      for (let at = 0; at < text.length; at += size) events.push(...reader.push(text.slice(at, at + size)));
      expect(events).toEqual([
        { id: "7", name: "status", data: '{"a":1}\nmore' },
        { id: "7", name: "message", data: "x" },
      ]);
    }
  });

  it("gives nothing for an event without data, and waits for the end of one", () => {
    const reader = new EventReader();
    expect(reader.push("event: done\n\n")).toEqual([]);
    expect(reader.push("data: half")).toEqual([]);
    expect(reader.push("\n")).toEqual([]);
    expect(reader.push("\n")).toEqual([{ id: undefined, name: "message", data: "half" }]);
  });
});
