// Everybody can use it: axe on every view, panel and dialog by WCAG 2.1 AA, in light and in dark;
// nothing wider than a small phone; the focus goes the way that eyes go.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { wait_ms } from "./harness.mjs";
import { ask, choose, open, test, unfold } from "./journeys.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const all = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

async function run(page, what, options) {
  // evaluated by the debugger, so the page's own policy is not loosened for it
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate((given) => globalThis.axe.run(document, given), { ...options, resultTypes: ["violations"] });
  const told = found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
  assert.deepEqual(told, [], `accessibility of ${what}`);
}

/** Everything in light; in dark what differs there: the colours. */
export async function accessible(page, what) {
  await run(page, what, { runOnly: all });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await run(page, `${what} in dark`, { runOnly: { type: "rule", values: ["color-contrast"] } });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

async function settled(page, hash, base) {
  await open(page, base, hash);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
}

const views = ["#/sources", "#/sources/shop", "#/memory/lessons", "#/memory/saved", "#/memory/history", "#/memory/taught", "#/settings"];

export const access = {
  async "axe: asking"({ page, base }) {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, base);
    await page.getByRole("region", { name: "Suggested questions" }).waitFor();
    await accessible(page, "the empty page");
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await turn.getByRole("button", { name: "Statistics" }).click();
    await turn.locator(test("statistics")).waitFor();
    await turn.getByText("Not what you meant?").click();
    await turn.getByLabel("Use the table").waitFor();
    await turn.getByRole("button", { name: "Remember this" }).click();
    await turn.locator(test("remember")).getByLabel("A word means a table").check();
    await turn.getByText("Export", { exact: true }).click();
    await accessible(page, "an answer with everything open");
    await turn.locator(`${test("chart")} canvas`).waitFor({ timeout: wait_ms });
    await turn.getByRole("button", { name: "Axes and colours" }).click();
    await turn.getByRole("button", { name: "Save", exact: true }).click();
    await turn.locator(test("save")).waitFor();
    await accessible(page, "the chart, and saving");
    await turn.getByRole("button", { name: "Share" }).click();
    await turn.getByRole("button", { name: "Create link" }).click();
    await turn.locator(test("share-link")).waitFor();
    await accessible(page, "sharing");
    // its headers allow no script at all, not even that of axe
    const shared = await page.context().newPage();
    const link = await turn.locator(test("share-link")).getByRole("textbox").inputValue();
    await shared.setContent(await (await fetch(link)).text());
    await accessible(shared, "what a link shows");
    await shared.close();
    await unfold(turn, "SQL");
    await turn.getByRole("button", { name: "Edit" }).click();
    await accessible(page, "SQL that is edited");
    await unfold(turn, "How it was understood");
    await turn.locator(test("how")).waitFor();
    await accessible(page, "how");
  },

  async "axe: asking back, errors, search"({ page, base }) {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "Who is our best customer?", "clarification");
    await accessible(page, "a question back");
    await open(page, base);
    await choose(page, "shop");
    await page.fill(test("question"), "the slow question");
    await page.keyboard.press("Enter");
    await page.locator(".doing-step.is-here").waitFor({ timeout: wait_ms });
    await accessible(page, "a question at work");
    await page.keyboard.press("Escape");
    await page.locator('[data-test="turn"][data-status="stopped"]').waitFor({ timeout: wait_ms });
    await page.locator("main").focus();
    await page.keyboard.press("?");
    await page.locator(test("keys")).waitFor();
    await accessible(page, "the help with keys");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("e");
    await page.locator(test("palette")).getByRole("option").first().waitFor();
    await accessible(page, "the search");
    await page.keyboard.press("Escape");
    await open(page, base, "#/s/none-such");
    await page.getByText("This conversation no longer exists.").waitFor();
    await accessible(page, "a conversation that is gone");
    await page.evaluate(() => globalThis.dispatchEvent(new Event("dragoman:key")));
    await page.getByRole("heading", { name: "Access key required" }).waitFor();
    await accessible(page, "the door");
  },

  async "axe: other views"({ page, base }) {
    await page.emulateMedia({ reducedMotion: "reduce" });
    // so that no list is empty
    const post = (path, body) => fetch(`${base}/api/v1/${path}`, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
    await post("lessons", { kind: "table_mapping", schema_name: "clients", actual_name: "customers", datasource: "shop" });
    await post("taught", { question: "newest order", sql: "SELECT MAX(ordered_at) FROM orders", datasource: "shop" });
    await post("saved", {
      name: "Orders of a channel",
      sql: "SELECT COUNT(*) FROM orders WHERE channel = :channel",
      datasource: "shop",
      parameters: [{ name: "channel", type: "text", default: "online" }],
    });
    for (const hash of views) {
      await settled(page, hash, base);
      if (hash === "#/sources/shop") {
        await page.locator(test("table")).first().locator("summary").click();
        await page.getByRole("button", { name: /^Describe addresses\.kind/ }).click();
      }
      await accessible(page, hash);
    }
    await open(page, base, "#/sources/shop");
    await page.getByRole("tab", { name: "Diagram" }).click();
    await page.locator(test("diagram")).waitFor();
    await accessible(page, "the diagram");
  },

  async "a small phone"({ page, base }) {
    const fits = async (what) => {
      const [inner, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      assert.ok(whole <= inner, `${what} is ${whole} wide on ${inner}`);
    };
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, base);
    await fits("the empty page");
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await fits("an answer");
    await turn.getByText("Not what you meant?").click();
    await turn.getByRole("button", { name: "Remember this" }).click();
    await turn.locator(test("remember")).waitFor();
    await fits("remembering");
    await turn.locator(`${test("chart")} canvas`).waitFor({ timeout: wait_ms });
    await turn.getByRole("button", { name: "Axes and colours" }).click();
    await fits("the chart");
    for (const panel of ["SQL", "How it was understood"]) {
      await unfold(turn, panel);
      await page.waitForLoadState("networkidle");
      await fits(panel);
    }
    // the question is not hidden below the bar
    await unfold(turn, "SQL");
    await turn.evaluate((element) => element.scrollIntoView({ block: "start", behavior: "instant" }));
    const [bar, heading] = await page.evaluate(() => [
      document.querySelector(".topbar").getBoundingClientRect().bottom,
      document.querySelector(".question").getBoundingClientRect().top,
    ]);
    assert.ok(heading >= bar, `the question begins at ${heading}, the bar ends at ${bar}`);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Sources" }).click();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    for (const hash of views) {
      await settled(page, hash, base);
      if (hash === "#/sources/shop") await page.locator(test("table")).first().locator("summary").click();
      await fits(hash);
    }
    await run(page, "settings on a phone", { runOnly: [...all, "wcag22aa"] });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: /Search/ }).click();
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await fits("the search");
  },

  async "focus order"({ page, base }) {
    await open(page, base);
    await page.getByRole("region", { name: "Suggested questions" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.dataset.test), "question", "one can type at once");
    await page.evaluate(() => document.querySelector(".skip").focus());
    const order = [];
    for (let i = 0; i < 200; i++) {
      const now = await page.evaluate(() => {
        const it = document.activeElement;
        if (it === document.body) return undefined; // once around
        const { left, top } = it.getBoundingClientRect();
        const name = it.getAttribute("aria-label") ?? it.textContent.trim();
        return { name, inside: it.closest("main") ? "main" : "side", top, left, seen: getComputedStyle(it).outlineStyle !== "none" || !!it.closest(".askbox, .field") };
      });
      if (!now || (order.length && now.name === order[0].name)) break;
      order.push(now);
      await page.keyboard.press("Tab");
    }
    const names = order.map((each) => each.name);
    assert.deepEqual(names.slice(0, 3), ["Skip to the content", "dragoman", "Switch between light and dark"]);
    assert.ok(names.indexOf("Sources") < names.indexOf("Memory") && names.indexOf("Memory") < names.indexOf("Settings"));
    const first = order.findIndex((each) => each.inside === "main");
    assert.equal(names[first], "Your question");
    assert.deepEqual(order.slice(1).filter((each) => !each.seen).map((each) => each.name), [], "whoever tabs sees where they are");
    // once in the content, it stays there to its end, from top to bottom
    const content = order.slice(first).filter((each) => each.inside === "main");
    content.slice(1).forEach((each, index) => assert.ok(each.top >= content[index].top - 60, `${content[index].name} before ${each.name}`));
    // a dialog takes the focus and gives it back
    const search = page.getByRole("button", { name: /Search/ });
    await search.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => !document.activeElement || document.activeElement === document.body || !!document.activeElement.closest("dialog")), true);
    await page.keyboard.press("Escape");
    await page.locator(test("palette")).waitFor({ state: "detached" });
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /Search/);
  },
};
