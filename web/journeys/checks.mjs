// What must hold everywhere: hostile data stay data, the page is small and served safely, everything
// can be done with the keyboard. (Who does not see well, or has a small screen: access.mjs.)
import assert from "node:assert/strict";
import { ask, choose, open, test, unfold } from "./journeys.mjs";
import { wait_ms } from "./harness.mjs";

export const checks = {
  async headers({ base }) {
    const page = await fetch(`${base}/`);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|data:|\*/);
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    const text = await page.text();
    assert.doesNotMatch(text, /https?:\/\//);
    const script = text.match(/src="(\/assets\/[^"]+)"/)?.[1];
    const asset = await fetch(base + script);
    assert.equal(asset.headers.get("content-encoding"), "gzip");
    assert.match(asset.headers.get("cache-control") ?? "", /immutable/);
    assert.match(await asset.text(), /createRoot|render/);
    const tag = asset.headers.get("etag") ?? "";
    assert.equal((await fetch(base + script, { headers: { "If-None-Match": tag } })).status, 304);
    for (const odd of ["/assets/nothing.js", "/assets/", "/index.html"]) {
      const answer = await fetch(base + odd);
      assert.equal(answer.status, 404, odd);
      assert.equal((await answer.json()).error.code, "NOT_FOUND");
    }
    assert.equal((await fetch(base + "/assets/..%2Findex.html")).status, 400);
  },

  /** All script that comes before the first question can be typed, compressed. */
  async "first paint"({ page, base }) {
    const loaded = [];
    page.on("response", (response) => {
      if (/\.js$/.test(new URL(response.url()).pathname)) loaded.push(response.url());
    });
    await open(page, base);
    await page.locator(test("question")).waitFor();
    let sum = 0;
    for (const url of loaded) sum += Number((await fetch(url)).headers.get("content-length"));
    assert.ok(loaded.length >= 2 && sum > 20_000, `${loaded.length} scripts, ${sum} bytes`);
    assert.ok(sum < 100 * 1024, `the first paint takes ${sum} bytes of script`);
  },

  async "the routes of sources"({ base }) {
    const call = async (method, path, body) => {
      const init = body ? { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : { method };
      const answer = await fetch(`${base}/api/v1/datasources${path}`, init);
      return [answer.status, await answer.json()];
    };
    const [status, tested] = await call("POST", "/shop/test");
    assert.deepEqual([status, tested.ok, tested.checks.length > 0], [200, true, true]);
    assert.equal((await call("GET", "/shop/schema"))[1].tables.length, 15);
    assert.equal((await call("GET", "/shop/schema?format=nonsense"))[0], 400);
    assert.equal((await call("GET", "/nowhere/schema"))[1].error.code, "DATASOURCE_NOT_FOUND");
    assert.equal((await call("GET", "/nowhere/suggestions"))[0], 404);
    assert.equal((await call("POST", "", { url: "sqlite:///etc/passwd" }))[0] >= 400, true);
    assert.equal((await call("POST", "", { id: "x" }))[0], 400);
    assert.equal((await call("DELETE", "/shop"))[0] >= 400, true, "what the operator configured stays");
    assert.equal((await call("GET", ""))[1].datasources.length >= 2, true);
  },

  async "hostile data"({ page, base, requests }) {
    await open(page, base, "#/sources/hostile");
    await page.locator(test("table")).first().waitFor({ timeout: wait_ms });
    await page.locator(test("table")).first().locator("summary").click();
    await page.getByRole("tab", { name: "Diagram" }).click();
    await page.locator(test("diagram")).waitFor();
    await open(page, base);
    await choose(page, "hostile");
    const turn = await ask(page, "list the hostile things");
    assert.match(await turn.locator(test("grid")).innerText(), /<img src=x onerror=window.hit=1>/);
    await turn.locator(`${test("chart")} canvas`).waitFor({ timeout: wait_ms });
    await unfold(turn, "SQL");
    await unfold(turn, "How it was understood");
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, "something was run");
    assert.equal(await page.locator("main img, main b, main script, main iframe").count(), 0);
    assert.ok(requests.every((url) => url.startsWith(base)), "something was loaded from elsewhere");
  },

  async "many rows"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "every order item");
    const grid = turn.locator(test("grid"));
    const rows = Number(await grid.getAttribute("aria-rowcount"));
    assert.ok(rows > 9000, `${rows} rows`);
    assert.ok((await grid.locator("[data-row]").count()) < 60, "only what is in sight is drawn");
    await grid.focus();
    await page.keyboard.press("End");
    await grid.locator(`[aria-rowindex="${rows}"]`).waitFor();
    assert.ok((await grid.locator("[data-row]").count()) < 60);
    await turn.getByLabel("Filter rows").fill("zzzz");
    await turn.getByText("No row contains this text.").waitFor();
    await turn.getByLabel("Filter rows").fill("");
    await turn.getByRole("columnheader").first().getByRole("button").click();
    await turn.getByRole("columnheader").first().getByRole("button").click();
    assert.equal(await turn.getByRole("columnheader").first().getAttribute("aria-sort"), "descending");
    await turn.getByRole("button", { name: "Statistics" }).click();
    await turn.locator(test("statistics")).waitFor();
  },

  async keyboard({ page, base }) {
    await open(page, base);
    await page.locator(test("question")).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("sett");
    await page.getByRole("option", { name: "Settings" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.getByRole("radio", { name: "Dark" }).check();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByRole("heading", { name: "Settings" }).waitFor(); // before that there is nothing to go to
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  },
};
