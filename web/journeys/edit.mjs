// Changing an answer by clicks and by SQL: the parts of the answer, and the editor that suggests and warns.
import assert from "node:assert/strict";
import { accessible } from "./access.mjs";
import { ask, choose, open, test, unfold } from "./journeys.mjs";
import { wait_ms } from "./harness.mjs";

/** Opens the parts of an answer. */
async function parts(turn) {
  await unfold(turn, "Change");
  await turn.locator(test("change")).getByRole("region", { name: "Figures" }).waitFor();
  return turn.locator(test("change"));
}

/** What a click brings: the next turn, with its answer. */
async function changed(page, click) {
  const turns = await page.locator(test("turn")).count();
  await click();
  const turn = page.locator(test("turn")).nth(turns);
  await turn.locator(test("answer")).waitFor({ timeout: wait_ms });
  return turn;
}

/** The choice with these words before it, in the form that is open. */
const field = (change, words) => change.locator(".change-form label.select").filter({ hasText: new RegExp(`^${words}`) }).locator("select");

const heading = (turn) => turn.locator("h2.question").innerText();

export const edit = {
  async "an answer is changed by clicks"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const first = await ask(page, "How many orders are there?");
    const change = await parts(first);
    assert.match(await change.innerText(), /number of orders/);
    // grouped by the month of a date
    await change.getByRole("button", { name: "Add a group" }).click();
    await field(change, "Column").selectOption("orders.ordered_at");
    await field(change, "by").selectOption("month");
    const second = await changed(page, () => change.getByRole("button", { name: "Apply" }).first().click());
    assert.match(await heading(second), /^Changed: by month of ordered at/);
    await unfold(second, "SQL");
    assert.match(await second.locator(test("sql")).innerText(), /GROUP BY month\s+ORDER BY month/);
    // only some, by a cell that the database has
    const next = await parts(second);
    await next.getByRole("button", { name: "Add a condition" }).click();
    await field(next, "Column").selectOption("orders.status");
    await next.getByLabel("Search values").fill("canc");
    await next.getByRole("checkbox", { name: "cancelled" }).check();
    await accessible(page, "a condition that is made");
    const third = await changed(page, () => next.getByRole("button", { name: "Apply" }).first().click());
    assert.match(await heading(third), /only where status is cancelled/);
    // and a condition is gone by one click
    const last = await parts(third);
    const fourth = await changed(page, () => last.getByRole("button", { name: /^Remove: status/ }).click());
    assert.match(await heading(fourth), /no longer where status is cancelled/);
    // the conversation has it all
    await page.reload();
    await page.getByRole("heading", { name: /no longer where status/ }).waitFor();
  },

  async "an answer is changed by the keyboard"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const first = await ask(page, "How many orders are there?");
    const change = await parts(first);
    await change.getByRole("button", { name: "number of orders", exact: true }).focus();
    await page.keyboard.press("Enter");
    const figure = field(change, "Figure");
    await figure.waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "SELECT");
    await figure.selectOption("average");
    await field(change, "of").selectOption("orders.total_amount");
    await field(change, "of").focus();
    await page.keyboard.press("Tab");
    const second = await changed(page, () => page.keyboard.press("Enter"));
    assert.equal(await heading(second), "Changed: average total amount instead of number of orders");
    // Escape closes the form alone
    const next = await parts(second);
    await next.getByRole("button", { name: "Add a group" }).click();
    await field(next, "Column").focus();
    await page.keyboard.press("Escape");
    await field(next, "Column").waitFor({ state: "detached" });
    await next.getByRole("button", { name: "Add a group" }).waitFor();
  },

  async "what does not fit is said"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const first = await ask(page, "How many orders are there?");
    await unfold(first, "SQL");
    await first.getByRole("button", { name: "Edit", exact: true }).click();
    await first.getByLabel("Edit the SQL").fill("SELECT id FROM orders UNION SELECT id FROM customers");
    const second = await changed(page, () => first.getByRole("button", { name: "Run" }).click());
    await unfold(second, "Change");
    await second.getByText(/cannot be changed part by part: it combines several queries/).waitFor();
    await second.getByRole("button", { name: "Edit the SQL instead" }).click();
    await second.getByLabel("Edit the SQL").waitFor();
  },

  async "the editor suggests and warns"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const first = await ask(page, "How many orders are there?");
    await unfold(first, "SQL");
    await first.getByRole("button", { name: "Edit", exact: true }).click();
    const area = first.getByLabel("Edit the SQL");
    const list = first.locator(test("suggestions"));
    await area.fill("");
    await page.waitForLoadState("networkidle"); // the schema is there
    await area.pressSequentially("SELECT * FROM ord");
    await list.getByRole("option", { name: /^orders/ }).waitFor();
    assert.equal(await area.getAttribute("aria-controls"), await list.getAttribute("id"));
    await accessible(page, "suggestions of SQL");
    while (!/^orders/.test((await list.locator('[aria-selected="true"]').innerText()) ?? "")) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    assert.match(await area.inputValue(), /FROM orders$/);
    await area.pressSequentially(" o JOIN cust");
    await list.getByRole("option", { name: /customers ON o.customer_id = customers.id/ }).waitFor();
    await page.keyboard.press("Enter");
    assert.match(await area.inputValue(), /JOIN customers ON o\.customer_id = customers\.id$/);
    const verdict = first.locator(test("verdict"));
    await verdict.getByText(/This SQL is allowed\. It reads/).waitFor({ timeout: wait_ms });
    // a table that is not there is underlined, and named
    await area.fill("SELECT id FROM ordrs");
    await verdict.getByText(/'ordrs' does not exist/).waitFor({ timeout: wait_ms });
    assert.equal(await first.locator(test("sql-wrong")).innerText(), "ordrs");
    assert.equal(await area.getAttribute("aria-invalid"), "true");
    await accessible(page, "a verdict on SQL");
    await area.fill("DELETE FROM orders");
    await verdict.getByText(/changes data/).waitFor({ timeout: wait_ms });
    // a key opens the list, Escape closes first the list, then the editor
    await area.fill("SELECT id FROM orders ");
    await area.press("Control+Space");
    await list.waitFor();
    await area.press("Escape");
    await list.waitFor({ state: "detached" });
    await area.press("Control+Enter");
    await page.locator(test("turn")).nth(1).locator(test("answer")).waitFor({ timeout: wait_ms });
  },
};
