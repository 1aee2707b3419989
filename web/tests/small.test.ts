import { describe, expect, it } from "vitest";
import { problemOf, query } from "../src/api/client";
import { ago, bytes, duration, moment, money } from "../src/logic/format";
import { hashOf, placeOf, type Place } from "../src/logic/route";
import { windowOf } from "../src/logic/window";
import { fileName } from "../src/logic/name";

describe("addresses", () => {
  it("lead back to where they came from", () => {
    const places: Place[] = [
      { view: "ask" },
      { view: "ask", session: "s/1 ü" },
      { view: "ask", query: "q-1" },
      { view: "sources" },
      { view: "sources", source: "my shop" },
      { view: "memory", tab: "history" },
      { view: "settings" },
    ];
    for (const place of places) expect(placeOf(hashOf(place))).toEqual(place);
  });

  it("take anything", () => {
    for (const hash of ["", "#", "#/nowhere", "#/%E0%A4%A", "#/s/"]) expect(placeOf(hash)).toEqual({ view: "ask" });
    expect(placeOf("#/memory/nonsense")).toEqual({ view: "memory", tab: "lessons" });
  });
});

describe("the window of a long list", () => {
  it("covers what is in sight and stays within the list", () => {
    expect(windowOf(0, 340, 34, 100_000)).toEqual({ first: 0, end: 18 });
    expect(windowOf(34 * 50_000, 340, 34, 100_000)).toEqual({ first: 49_992, end: 50_018 });
    expect(windowOf(1e9, 340, 34, 10)).toEqual({ first: 10, end: 10 });
    expect(windowOf(-50, 340, 34, 3)).toEqual({ first: 0, end: 3 });
  });
});

describe("figures", () => {
  it("read as people say them", () => {
    expect([0.2, 340, 1500, 12_000, 95_000].map(duration)).toEqual(["under 1 ms", "340 ms", "1.5 s", "12 s", "1 min 35 s"]);
    expect([0, 0.00042, 1.5].map(money)).toEqual(["$0", "$0.00042", "$1.50"]);
    expect([12, 2048, 5 * 1024 * 1024].map(bytes)).toEqual(["12 B", "2 KB", "5.0 MB"]);
    const now = Date.UTC(2026, 0, 2);
    expect(ago(now / 1000 - 120, now)).toBe("2 min ago");
    expect(ago(new Date(now - 3 * 3600_000).toISOString(), now)).toBe("3 h ago");
    expect(moment("nonsense")).toBeUndefined();
    expect(ago(undefined)).toBe("");
  });
});

describe("requests", () => {
  it("carry only what is set", () => {
    expect(query({ a: "x y", b: undefined, c: "", d: 0 })).toBe("?a=x%20y&d=0");
    expect(query({})).toBe("");
  });

  it("turn every refusal into a message", () => {
    expect(problemOf(400, { error: { code: "BAD", message: "No.", hint: "Do." } })).toEqual({ code: "BAD", message: "No.", hint: "Do." });
    for (const body of [null, "text", { error: "x" }, { error: { message: 5 } }]) {
      expect(problemOf(502, body).code).toBe("HTTP_502");
    }
  });
});

describe("names of files", () => {
  it("are plain whatever was asked", () => {
    expect(fileName("Total revenue, by ../country?", "csv")).toBe("total-revenue-by-country.csv");
    expect(fileName("日本", "png")).toBe("answer.png");
    expect(fileName(undefined, "svg")).toBe("answer.svg");
  });
});
