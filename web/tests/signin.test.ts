import { expect, test } from "vitest";
import { signInProblem } from "../src/logic/signin";

test("the address says why a sign-in did not work, and nothing else", () => {
  expect(signInProblem("?sign-in=failed")).toBe("failed");
  expect(signInProblem("?a=b&sign-in=forbidden")).toBe("forbidden");
  expect(signInProblem("?sign-in=<b>anything</b>")).toBeUndefined();
  expect(signInProblem("")).toBeUndefined();
});
