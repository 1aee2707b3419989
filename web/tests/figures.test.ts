import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { changeWords, figuresOf, sparkline } from "../src/logic/figures";
import { fullNumber, periodWords, shortNumber } from "../src/logic/label";
import { sentenceOf, understoodOf } from "../src/logic/said";

const answer = (columns: string[], rows: Answer["rows"]): Answer => ({
  query_id: "q",
  status: "finished",
  state: "FINISHED",
  type: "rows",
  columns,
  ...(rows ? { rows } : {}),
});
const today = new Date("2026-03-15T12:00:00Z");

describe("the numbers of an answer", () => {
  it("show a single number, grouped unless it is no amount", () => {
    expect(figuresOf(answer(["n"], [[2400]]))).toEqual([{ value: "2,400", label: "" }]);
    expect(figuresOf(answer(["year"], [[2024]]))[0]?.value).toBe("2024");
    expect(figuresOf(answer(["total"], [["1234567.50"]]))[0]?.value).toBe("1,234,567.50");
    expect(figuresOf(answer(["name"], [["Ann"]]))[0]?.value).toBe("Ann");
    expect(figuresOf(answer(["n"], [[null]]))).toEqual([]);
    expect(figuresOf(answer(["n"], []))).toEqual([]);
  });

  it("show the numbers of one row, with what they belong to", () => {
    expect(figuresOf(answer(["first_name", "id", "spent"], [["Ann", 7, 12.5]]))).toEqual([{ value: "12.50", label: "spent", about: "Ann" }]);
  });

  it("show the change where the row has the value before", () => {
    const [figure, ...rest] = figuresOf(answer(["revenue", "previous_revenue"], [[150, 100]]));
    expect(rest).toEqual([]);
    expect(figure).toMatchObject({ value: "150", change: { share: 0.5, from: "100" } });
    expect(figuresOf(answer(["revenue", "previous_revenue"], [[150, 0]]))[0]?.change).toBeUndefined();
  });

  it("show the last value of a series with its change and its line, whatever the order of the rows", () => {
    const rows = [["2025-12", 30], ["2025-10", 10], ["2025-11", 20]];
    expect(figuresOf(answer(["month", "orders"], rows), today)).toEqual([
      { value: "30", label: "orders", about: "Dec 2025", change: { share: 0.5, from: "Nov 2025" }, line: [10, 20, 30] },
    ]);
    expect(figuresOf({ ...answer(["month", "orders"], rows), truncated: true }, today)).toEqual([]);
    expect(figuresOf(answer(["month", "channel", "n"], [["2025-10", "a", 1], ["2025-11", "b", 2]]), today)).toEqual([]);
  });

  it("say no change of a month that is not over", () => {
    const [figure] = figuresOf(answer(["month", "orders"], [["2026-02", 20], ["2026-03", 3]]), today);
    expect(figure).toMatchObject({ value: "3", about: "Mar 2026" });
    expect(figure?.change).toBeUndefined();
  });

  it("write changes, lines and numbers", () => {
    expect([0.0321, -0.5, 1.304, 12.5].map(changeWords)).toEqual(["+3.2 %", "−50 %", "+130 %", "+1,250 %"]);
    expect(sparkline([1, 3, 2], 10, 4)).toBe("0.0,4.0 5.0,0.0 10.0,2.0");
    expect(sparkline([5, 5], 10, 4)).toBe("0.0,4.0 10.0,4.0");
    expect([174789.25, 9999, 0.123456].map(shortNumber)).toEqual(["175K", "9,999", "0.1235"]);
    expect([203876.3, 1 / 3, 5].map(fullNumber)).toEqual(["203,876.30", "0.333", "5"]);
    expect(["2025-12", "2025-12-31", "2025", "2025-13", "2025-12-31 14:05:00"].map(periodWords)).toEqual(["Dec 2025", "31 Dec 2025", "2025", "2025-13", "31 Dec 2025 14:05"]);
  });
});

describe("the words of an answer", () => {
  const told = { ...answer(["n"], [[1]]), explanation: "Counts the orders.", summary: "number of orders" };
  it("are the paraphrase where the server makes no sentence", () => {
    expect(sentenceOf(told)).toBe("number of orders");
    expect(understoodOf(told)).toBeUndefined();
  });
  it("are the sentence of the server, and the paraphrase is said below", () => {
    const made = { ...told, text: "10,200 orders." };
    expect(sentenceOf(made)).toBe("10,200 orders.");
    expect(understoodOf(made)).toBe("number of orders");
  });
});
