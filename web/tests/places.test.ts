// What can be asked and found: sources with one's own files, hits of the search, settings, places.
import { describe, expect, it } from "vitest";
import { hashOf, placeOf } from "../src/logic/route";
import { grouped, type Hit } from "../src/logic/search";
import { connection, settingsOf } from "../src/logic/settings";
import { merged } from "../src/state/sources";

describe("sources", () => {
  it("are the datasources and one's files, each once", () => {
    const found = merged(
      [{ id: "shop" }, { id: "shared", url: "dataset:cities" }],
      [
        { id: "dataset-1", name: "cities", file: "cities.csv" },
        { id: "dataset-2", name: "rivers", file: "rivers.csv" },
      ],
    );
    expect(found.map((each) => [each.id, each.title, each.dataset])).toEqual([
      ["shop", undefined, undefined],
      ["shared", undefined, undefined],
      ["dataset-2", "rivers", true],
    ]);
  });
});

describe("hits", () => {
  const hit = (group: Hit["group"], title: string, sure = false): Hit => ({ group, title, href: `#/${group}/${title}`, icon: "ask", sure });
  it("come by kind, and a conversation and its question are one", () => {
    const groups = grouped([hit("asked", "Orders", true), hit("sessions", "orders"), hit("go", "Settings"), hit("asked", "by SQL alone", true)], "ord");
    expect(groups.map((group) => [group.name, group.hits.map((each) => each.title)])).toEqual([
      ["sessions", ["orders"]],
      ["asked", ["by SQL alone"]],
    ]);
  });
  it("are bounded", () => {
    expect(grouped(Array.from({ length: 50 }, (_, i) => hit("sources", `s${i}`)), "")[0]?.hits.length).toBe(7);
  });
});

describe("settings", () => {
  const body = { settings: { "agent.brain": "auto", "llm.model": "m" }, changeable: ["llm.model", "llm.url", "llm.key"], changed: ["llm.url"] };
  it("are those that are told and those that may be changed unseen", () => {
    expect(settingsOf(body)).toEqual([
      { name: "agent.brain", value: "auto", told: true, canChange: false, changed: false },
      { name: "llm.model", value: "m", told: true, canChange: true, changed: false },
      { name: "llm.url", value: "", told: false, canChange: true, changed: true },
      { name: "llm.key", value: "", told: false, canChange: true, changed: false },
    ]);
    expect(settingsOf({})).toEqual([]);
  });
  it("send an address with the key that is meant for it, and nothing that stays", () => {
    const settings = settingsOf(body);
    expect(connection({ "llm.model": "m" }, settings)).toEqual({});
    expect(connection({ "llm.model": "n", "llm.url": "http://h" }, settings)).toEqual({ "llm.model": "n", "llm.url": "http://h", "llm.key": "" });
    expect(connection({ "llm.url": "", "llm.key": "${A_API_KEY}" }, settings)).toEqual({ "llm.url": "", "llm.key": "${A_API_KEY}" });
  });
});

describe("places", () => {
  it("survive the address", () => {
    for (const place of [{ view: "ask", source: "a/b" }, { view: "ask", question: "how many? 50% #1" }] as const) {
      expect(placeOf(hashOf(place))).toEqual(place);
    }
  });
});
