import { describe, expect, it } from "vitest";
import { patiently } from "../src/parts/later";

describe("loading a part", () => {
  const after = (failures: number) => {
    let calls = 0;
    return { load: () => (++calls > failures ? Promise.resolve(calls) : Promise.reject(new Error(`no ${calls}`))) };
  };
  it("is tried again, and its last failure is told", async () => {
    expect(await patiently(after(0).load, [0])).toBe(1);
    expect(await patiently(after(2).load, [0, 0, 0])).toBe(3);
    await expect(patiently(after(9).load, [0, 0])).rejects.toThrow("no 3");
  });
});
