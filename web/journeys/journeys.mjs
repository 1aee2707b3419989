// The ways people take through the page, each from an empty browser against the real server.
import assert from "node:assert/strict";
import path from "node:path";
import { writeFileSync } from "node:fs";
import { wait_ms } from "./harness.mjs";

const test = (name) => `[data-test="${name}"]`;

/** Asks in the box and waits for what comes of it. */
async function ask(page, question, until = "answer") {
  const turns = await page.locator(test("turn")).count();
  await page.fill(test("question"), question);
  await page.keyboard.press("Enter");
  const turn = page.locator(test("turn")).nth(turns);
  await turn.locator(test(until)).waitFor({ timeout: wait_ms });
  return turn;
}

async function choose(page, source) {
  const box = page.getByLabel("Database");
  await box.waitFor();
  await box.selectOption(source);
}

/** Opens what the footer of an answer hides: "SQL", "How it was understood". */
async function unfold(turn, name) {
  const button = turn.locator(".foot").getByRole("button", { name, exact: true });
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
}

/** What stands at the side of the conversation that is shown. Others may have the same title. */
function beside(page) {
  const link = `a[href="${new URL(page.url()).hash}"]`;
  return page.getByRole("region", { name: "Conversations" }).locator("li").filter({ has: page.locator(link) });
}

/** Somebody else has a conversation of the same title, with two answers, newer than ours. */
async function twin(base) {
  const post = async (where, body) => {
    const response = await fetch(base + where, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    assert.ok(response.ok, `${where}: ${response.status}`);
    return response.json();
  };
  const { session_id } = await post("/api/v1/chat/sessions", { datasource: "shop" });
  for (const message of ["How many orders are there?", "and only the cancelled ones?"]) {
    await post("/api/v1/chat", { message, session_id, datasource: "shop" });
  }
}

async function open(page, base, hash = "#/") {
  await page.goto(`${base}/${hash}`);
  await page.locator("main").waitFor();
}


export const journeys = {
  async "first question"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.getByRole("region", { name: "Suggested questions" }).getByRole("button").first().waitFor();
    const turn = await ask(page, "How many customers are there?");
    assert.equal(await turn.locator(test("figure")).innerText(), "2,400");
    await unfold(turn, "SQL");
    assert.match(await turn.locator(test("sql")).innerText(), /SELECT COUNT\(\*\)/);
    await unfold(turn, "How it was understood");
    assert.match(await turn.locator(test("how")).innerText(), /Choosing tables/);
    await page.locator(test("live")).getByText(/answer is ready/).waitFor();
    await beside(page).getByRole("link", { name: /How many customers/ }).waitFor();
    await page.reload(); // the conversation is the server's, not the tab's
    assert.equal(await page.locator(test("figure")).innerText(), "2,400");
  },

  async "new conversation"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many orders are there?");
    assert.match(page.url(), /#\/s\//);
    const first = beside(page);
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    assert.equal(await page.locator(test("turn")).count(), 0);
    await ask(page, "total revenue by country");
    assert.equal(await page.locator(test("turn")).count(), 1);
    const second = beside(page);
    await twin(base);
    // back to the first by the side, and forth by the browser's own buttons
    await first.getByRole("link", { name: /How many orders/ }).click();
    await page.locator(test("figure")).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "total revenue by country" }).waitFor();
    // deleted by its owner
    await second.getByRole("button", { name: "Delete “total revenue by country”" }).click();
    await page.locator(test("live")).getByText("Conversation deleted.").waitFor();
  },

  async "gone elsewhere before it began"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many orders are there?");
    const first = beside(page);
    const address = page.url();
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    // the server takes its time to open the second conversation, and the person does not wait
    let let_go;
    const held = new Promise((resolve) => (let_go = resolve));
    await page.route("**/api/v1/chat/sessions", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await page.fill(test("question"), "total revenue by country");
    await page.keyboard.press("Enter");
    await first.getByRole("link").click();
    await page.locator(test("figure")).waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith("/api/v1/ask"));
    let_go();
    await asked; // the question goes its way, and the page stays where it is
    assert.equal(page.url(), address);
    const next = await ask(page, "and only the cancelled ones?");
    await next.locator(test("figure")).waitFor(); // so it followed on the conversation that is shown
    assert.equal(page.url(), address);
    assert.equal(await page.locator(test("turn")).count(), 2);
  },

  async "follow-up"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many orders are there?");
    const second = await ask(page, "and only the cancelled ones?");
    const figure = Number((await second.locator(test("figure")).innerText()).replaceAll(",", ""));
    assert.ok(figure > 0 && figure < 10_200, `cancelled orders: ${figure}`);
  },

  async stop({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.fill(test("question"), "the slow question");
    await page.keyboard.press("Enter");
    await page.locator(test("progress")).waitFor();
    await page.locator(test("stop")).waitFor();
    await page.waitForFunction(() => document.querySelector(".doing-step.is-here"), undefined, { timeout: wait_ms });
    await page.keyboard.press("Escape");
    await page.locator('[data-test="turn"][data-status="stopped"]').waitFor({ timeout: wait_ms });
    assert.equal(await page.locator(test("ask")).count(), 1);
    // also before the server has the question
    let let_go;
    const held = new Promise((resolve) => (let_go = resolve));
    await page.route("**/api/v1/ask", async (route) => {
      await held;
      await route.continue();
    });
    await page.fill(test("question"), "the slow question");
    await page.keyboard.press("Enter");
    await page.locator(test("stop")).waitFor();
    await page.keyboard.press("Escape");
    let_go();
    await page.locator('[data-test="turn"][data-status="stopped"]').nth(1).waitFor({ timeout: wait_ms });
  },

  async clarification({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "Who is our best customer?", "clarification");
    assert.equal(await turn.locator(".choice").count(), 2);
    await turn.getByRole("button", { name: /by money spent/ }).click();
    await turn.locator(test("answer")).waitFor({ timeout: wait_ms });
    assert.match(await turn.locator(test("grid")).innerText(), /spent/);
  },

  async correction({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const first = await ask(page, "show all people");
    await first.getByText("Not what you meant?").click();
    await first.getByRole("button", { name: "Not employees" }).click();
    const second = page.locator(test("turn")).nth(1);
    await second.locator(test("answer")).waitFor({ timeout: wait_ms });
    await unfold(second, "SQL");
    const sql = await second.locator(test("sql")).innerText();
    assert.match(sql, /customers/);
    assert.doesNotMatch(sql, /employees/);
    // what it taught is said, stands in Memory, and can be taken back
    await second.locator(test("learned")).getByText("“show all people” is answered like this").waitFor();
    await second.getByRole("link", { name: "See it under Memory" }).click();
    const lesson = page.locator(test("lesson")).filter({ hasText: "show all people" });
    await lesson.getByText("from a correction").waitFor();
    await page.goBack();
  },

  async upload({ page, base, folder }) {
    const file = path.join(folder, "cities.csv");
    writeFileSync(file, "city,people\nRome,2800000\nParis,2100000\nLisbon,550000\n");
    await open(page, base, "#/sources");
    await page.locator(`${test("drop")} input[type=file]`).setInputFiles(file);
    await page.getByRole("heading", { name: /cities/ }).first().waitFor({ timeout: wait_ms });
    await open(page, base);
    await choose(page, "cities");
    const turn = await ask(page, "How many cities are there?");
    assert.equal(await turn.locator(test("figure")).innerText(), "3");
  },

  async chart({ page, base }) {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many customers are there?");
    assert.ok(!asked.some((url) => /chart-/.test(url)), "Vega is not loaded before a chart is shown");
    const turn = await ask(page, "total revenue by country");
    await turn.locator(`${test("chart")} canvas`).waitFor({ timeout: wait_ms });
    assert.ok(asked.some((url) => /chart-/.test(url)));
    await turn.getByRole("button", { name: "Ring" }).count().then((count) => assert.equal(count, 0, "a ring of 14 slices is not offered"));
    await turn.getByRole("button", { name: "Axes and colours" }).click();
    await turn.getByLabel("Chart type").selectOption("line");
    await turn.locator(`${test("chart")} canvas`).waitFor();
    const download = page.waitForEvent("download");
    await turn.getByRole("button", { name: "SVG" }).click();
    assert.equal((await download).suggestedFilename(), "total-revenue-by-country.svg");
    assert.ok(asked.every((url) => url.startsWith(base)), "nothing is loaded from elsewhere");
  },

  async "edit SQL"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "How many customers are there?");
    const run = async (sql) => {
      await unfold(turn, "SQL");
      await turn.getByRole("button", { name: "Edit" }).click();
      await turn.getByLabel("Edit the SQL").fill(sql);
      await turn.getByRole("button", { name: "Run", exact: true }).click();
    };
    await run("SELECT id, first_name FROM customers ORDER BY id LIMIT 5");
    const second = page.locator(test("turn")).nth(1);
    await second.locator(test("answer")).waitFor({ timeout: wait_ms });
    assert.match(await second.locator(test("row-count")).innerText(), /5 rows/);
    await run("DELETE FROM customers");
    const third = page.locator(test("turn")).nth(2);
    await third.locator(".problem").waitFor({ timeout: wait_ms });
    assert.match(await third.locator(".problem").innerText(), /SQL_|UNSAFE|not allowed|read/i);
  },

  async "saved query"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "How many customers are there?");
    await turn.getByRole("button", { name: "Save", exact: true }).click();
    const form = turn.locator(test("save"));
    await form.getByLabel("Name").fill("Customers today");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. You can find it under Memory.").first().waitFor();
    await open(page, base, "#/memory/saved");
    const saved = page.locator(test("saved")).filter({ hasText: "Customers today" });
    await saved.getByRole("button", { name: "Run" }).click();
    await page.locator(test("figure")).waitFor({ timeout: wait_ms });
    assert.equal(await page.locator(test("figure")).innerText(), "2,400");
  },

  async "lost connection"({ page, base, wire }) {
    await open(page, base);
    await choose(page, "shop");
    wire.cutAt("/stream"); // as soon as it tells of the question
    await page.fill(test("question"), "simply the number of categories");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor({ timeout: wait_ms });
    wire.mend();
    await page.locator(test("answer")).waitFor({ timeout: wait_ms });
    assert.equal(await page.locator(test("figure")).innerText(), "24");
    await page.getByRole("alert").waitFor({ state: "detached" });
  },
};

export { ask, beside, choose, open, test, unfold };
