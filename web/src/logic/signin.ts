// What the address says of a sign-in that did not work.

/** The server comes back to the page with ?sign-in=failed or ?sign-in=forbidden. */
export function signInProblem(search: string): "failed" | "forbidden" | undefined {
  const said = new URLSearchParams(search).get("sign-in");
  return said === "failed" || said === "forbidden" ? said : undefined;
}
