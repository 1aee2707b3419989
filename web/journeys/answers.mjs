// What people do with an answer: load the rest of it, sort, filter and copy it, take it out as a
// file or a picture, pass it on, correct it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { big_rows, wait_ms } from "./harness.mjs";
import { ask, choose, open, test, unfold } from "./journeys.mjs";

/** What a click brings into the downloads. */
async function downloaded(page, click) {
  const coming = page.waitForEvent("download");
  await click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The page fills the question box after it has drawn what was clicked. */
const filled = (page, text) =>
  page.waitForFunction(([box, words]) => document.querySelector(box)?.value === words, [test("question"), text], { timeout: wait_ms });

export const answers = {
  async "a hundred thousand rows"({ page, base }) {
    await open(page, base);
    await choose(page, "big");
    const turn = await ask(page, "all the readings");
    const grid = turn.locator(test("grid"));
    const count = async () => Number(await grid.getAttribute("aria-rowcount")) - 1;
    const drawn = () => grid.locator("[data-row]").count();
    assert.equal(await count(), 1000, "the answer has the first rows");
    await turn.getByText("Only the first 1,000 rows are shown").first().waitFor();
    // one page more, then all of them
    await turn.getByRole("button", { name: "Load more rows" }).click();
    await turn.getByText(`11,000 of ${big_rows.toLocaleString("en")} rows are loaded.`).waitFor({ timeout: wait_ms });
    assert.equal(await count(), 11_000);
    await turn.getByRole("button", { name: "Load all" }).click();
    await turn.getByText(`100,000 of ${big_rows.toLocaleString("en")} rows are loaded.`).waitFor({ timeout: wait_ms });
    assert.equal(await count(), big_rows);
    assert.equal(await turn.getByRole("button", { name: "Load all" }).count(), 0);
    assert.ok((await drawn()) < 60, "only what is in sight is drawn");
    // to the end, by the keyboard and by the wheel
    await grid.focus();
    await page.keyboard.press("End");
    await grid.locator(`[aria-rowindex="${big_rows + 1}"]`).waitFor();
    assert.match(await grid.locator(`[aria-rowindex="${big_rows + 1}"]`).innerText(), /100000/);
    assert.ok((await drawn()) < 60);
    await grid.evaluate((element) => (element.scrollTop = 50_000 * 34));
    await grid.locator('[aria-rowindex="50005"]').waitFor();
    assert.match(await grid.locator('[aria-rowindex="50005"]').innerText(), /^50004\s/);
    // sorted by the value, the largest first
    const value = turn.getByRole("columnheader", { name: /value/ });
    await value.getByRole("button").click();
    await value.getByRole("button").click();
    await turn.locator('[aria-sort="descending"]').waitFor();
    await grid.focus();
    await page.keyboard.press("Home");
    assert.match(await grid.locator('[aria-rowindex="2"]').innerText(), /10,000\.2$/);
    // filtered, counted, copied
    await turn.getByLabel("Filter rows").fill("sensor 42");
    await turn.getByText("1,031 of 100,000 rows").waitFor();
    await turn.getByRole("button", { name: "Copy", exact: true }).click();
    await page.locator(test("live")).getByText("Copied.").waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
    assert.equal(lines.length, 1032);
    assert.deepEqual(lines[0].split("\t"), ["id", "sensor", "value"]);
    assert.ok(lines.slice(1).every((line) => line.split("\t")[1] === "sensor 42"));
    await turn.getByLabel("Filter rows").fill("");
    await turn.getByRole("button", { name: "Statistics" }).click();
    const statistics = await turn.locator(test("statistics")).innerText();
    assert.match(statistics, /id\s+distinct\s+100,000/);
    assert.match(statistics, /maximum\s+100,000/);
    assert.match(statistics, /sensor\s+distinct\s+97/);
  },

  async "export in each format"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    const take = (format) =>
      downloaded(page, async () => {
        await turn.getByText("Export", { exact: true }).click();
        await turn.getByRole("button", { name: `Export as ${format}` }).click();
      });
    const csv = await take("CSV");
    assert.equal(csv.name, "total-revenue-by-country.csv");
    const lines = csv.bytes.toString("utf8").trim().split(/\r?\n/);
    assert.equal(lines.length, 14); // the twelve countries, and the orders without an address
    assert.match(lines[0], /country,revenue/);
    assert.match(lines.slice(1, 3).join("\n"), /^Germany,/m);
    const json = JSON.parse((await take("JSON")).bytes.toString("utf8"));
    assert.match(JSON.stringify(json), /Germany/);
    const xlsx = await take("XLSX");
    assert.equal(xlsx.bytes.subarray(0, 2).toString(), "PK");
    assert.ok(xlsx.bytes.includes("xl/worksheets/"), "it is a workbook");
    const parquet = await take("PARQUET");
    assert.equal(parquet.bytes.subarray(0, 4).toString(), "PAR1");
    assert.equal(parquet.bytes.subarray(-4).toString(), "PAR1");
  },

  async "export as a page"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await turn.getByText("Export", { exact: true }).click();
    const html = await downloaded(page, () => turn.getByRole("button", { name: "Export as HTML" }).click());
    assert.equal(html.name, "total-revenue-by-country.html");
    const text = html.bytes.toString("utf8");
    assert.match(text, /<h1 dir="auto">total revenue by country<\/h1>/);
    assert.match(text, /<rect class="dgm-f0"/);
    assert.match(text, /Germany/);
    assert.doesNotMatch(text, /<script|https?:|href=|src=/);
  },

  async "share a link"({ page, base, browser }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await turn.getByRole("button", { name: "Share" }).click();
    const panel = turn.locator(test("share"));
    await panel.getByLabel("The link works for").selectOption({ label: "1 day" });
    await panel.getByRole("button", { name: "Create link" }).click();
    await panel.locator(test("share-link")).waitFor();
    await panel.getByRole("button", { name: "Copy this link" }).click();
    await page.locator(test("live")).getByText("Copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /\/share\/[0-9a-f]{64}$/);
    // somebody else opens it: no key, no cookie, dark, printed; nothing else is asked for
    const context = await browser.newContext({ colorScheme: "dark", javaScriptEnabled: false });
    const other = await context.newPage();
    const asked = [];
    const complaints = [];
    other.on("request", (request) => asked.push(request.url()));
    other.on("console", (message) => complaints.push(message.text()));
    assert.equal((await other.goto(link)).status(), 200);
    await other.getByRole("heading", { name: "total revenue by country" }).waitFor();
    await other.getByRole("cell", { name: "Germany" }).waitFor();
    await other.locator("svg rect").first().waitFor();
    assert.notEqual(await other.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "its style is used");
    assert.ok((await other.pdf()).length > 5000);
    assert.deepEqual(asked.filter((url) => !url.endsWith("favicon.ico")), [link]);
    assert.deepEqual(complaints.filter((text) => /Content Security Policy|Refused/.test(text)), []);
    // it is counted, and gone when it is revoked
    await panel.getByRole("button", { name: "Close" }).click();
    await turn.getByRole("button", { name: "Share" }).click();
    await panel.getByText("Your links").click();
    const item = panel.locator(test("share-list")).locator("li").filter({ hasText: "total revenue by country" }).first();
    await item.getByText("opened once").waitFor();
    await item.getByRole("button", { name: "Revoke" }).click();
    await page.locator(test("live")).getByText("Revoked.").waitFor();
    assert.equal((await other.goto(link)).status(), 404);
    await other.getByRole("heading", { name: "This link does not work" }).waitFor();
    await context.close();
  },

  async "share a conversation"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many customers are there?");
    const turn = await ask(page, "total revenue by country");
    await turn.getByRole("button", { name: "Share" }).click();
    const panel = turn.locator(test("share"));
    await panel.getByLabel("The whole conversation").check();
    await panel.getByRole("button", { name: "Create link" }).click();
    const link = await panel.locator(test("share-link")).getByRole("textbox").inputValue();
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByRole("heading", { level: 2, name: "How many customers are there?" }).waitFor();
    await other.getByRole("heading", { level: 2, name: "total revenue by country" }).waitFor();
    assert.equal(await other.locator("article").count(), 2);
    await other.close();
  },

  async "a chart by hand"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    const chart = turn.locator(test("chart"));
    await chart.locator("canvas").waitFor({ timeout: wait_ms });
    await turn.getByRole("button", { name: "Axes and colours" }).click();
    const picture = () => chart.locator("canvas").evaluate((canvas) => canvas.toDataURL());
    const pictures = new Set([await picture()]);
    for (const kind of ["line", "area", "arc", "scatter", "stacked"]) {
      await turn.getByLabel("Chart type").selectOption(kind);
      await page.waitForFunction((seen) => {
        const canvas = document.querySelector('[data-test="chart"] canvas');
        return canvas && !seen.includes(canvas.toDataURL());
      }, [...pictures]);
      pictures.add(await picture());
    }
    assert.equal(pictures.size, 6, "each kind is another picture");
    await turn.getByLabel("Colour").selectOption({ label: "country" });
    const png = await downloaded(page, () => turn.getByRole("button", { name: "PNG" }).click());
    assert.equal(png.name, "total-revenue-by-country.png");
    assert.deepEqual([...png.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert.ok(png.bytes.readUInt32BE(16) > 800, "it is drawn for paper, not for a thumbnail");
    const svg = await downloaded(page, () => turn.getByRole("button", { name: "SVG" }).click());
    const text = svg.bytes.toString("utf8");
    assert.match(text, /^<svg/);
    assert.match(text, /Germany/);
    assert.doesNotMatch(text, /<script|href="http/);
  },

  async "a chart by saying so"({ page, base, wire }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "revenue of each month of 2024");
    const pressed = (turn, name) => turn.getByRole("button", { name, exact: true, pressed: true }).waitFor({ timeout: wait_ms });
    const bars = await ask(page, "show it as bars");
    await pressed(bars, "Bars");
    assert.match(await bars.locator(test("sentence")).innerText(), /rose|fell/i, "the same answer");
    const pie = await ask(page, "als Kreisdiagramm");
    await pressed(pie, "Line");
    assert.match(await pie.locator(test("chart-note")).innerText(), /A pie needs at most 8 groups.*shown as a line/);
  },

  async "copy link"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "How many customers are there?");
    await turn.getByRole("button", { name: "Copy link" }).click();
    await page.locator(test("live")).getByText("Link copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${base}/#/q/`), link);
    const other = await page.context().newPage();
    await other.goto(link);
    assert.equal(await other.locator(test("figure")).innerText(), "2,400");
    await other.getByRole("heading", { name: "How many customers are there?" }).waitFor();
    await other.close();
  },

  async "what was assumed"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "orders of each channel");
    const assumed = turn.locator(test("assumed"));
    await assumed.getByText("Cancelled orders are left out.").waitFor();
    assert.match(await turn.getByRole("columnheader").allInnerTexts().then((all) => all.join(" ")), /count/);
    assert.doesNotMatch(await turn.locator(test("grid")).innerText(), /COUNT\(/i);
    // remembered, and taken back
    await assumed.getByRole("button", { name: "Remember this" }).click();
    await assumed.getByText("Learned: “orders of each channel”").waitFor();
    const taught = async () => (await (await fetch(`${base}/api/v1/taught`)).json()).taught.filter((each) => each.question === "orders of each channel");
    assert.match((await taught())[0].sql, /<> 'cancelled'/);
    await assumed.getByRole("button", { name: "Undo" }).click();
    await assumed.getByRole("button", { name: "Remember this" }).waitFor();
    assert.deepEqual(await taught(), []);
    // changed: the box has the words, and the person sends them
    await assumed.getByRole("button", { name: "Change the assumption: Cancelled orders are left out." }).click();
    await filled(page, "Include cancelled orders");
    assert.ok(await page.locator(test("question")).evaluate((box) => box === document.activeElement), "the box has the focus");
    await page.keyboard.press("Enter");
    const second = page.locator(test("turn")).nth(1);
    await second.locator(test("answer")).waitFor({ timeout: wait_ms });
    assert.equal(await second.getByText("Cancelled orders are left out.").count(), 0);
  },

  async "a word without a place"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "How many banned customers are there", "clarification");
    await turn.getByText("I find nothing about 'banned' in customers.").waitFor();
    await turn.getByRole("button", { name: /^Leave 'banned' out/ }).click();
    await turn.locator(test("answer")).waitFor({ timeout: wait_ms });
    assert.equal(await turn.locator(test("figure")).innerText(), "2,400");
    // the answer says which question it is to, and leads back to the one that was asked
    const assumed = turn.locator(test("assumed"));
    await assumed.getByText("As you chose, this answers: How many customers are there").waitFor();
    await assumed.getByRole("button", { name: /^Change the assumption/ }).click();
    await filled(page, "How many banned customers are there");
    await turn.locator(".meta").getByText(/^(Sure|Likely|Unsure)$/).waitFor();
  },

  async "every attempt failed"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.fill(test("question"), "How many walruses are customers");
    await page.keyboard.press("Enter");
    const turn = page.locator(test("turn")).first();
    await turn.locator(".problem").waitFor({ timeout: wait_ms });
    await turn.getByText("All 2 attempts").click();
    const attempts = turn.locator(test("attempts"));
    assert.equal(await attempts.locator("li").count(), 2);
    assert.match(await attempts.innerText(), /SELECT COUNT\(\* FROM[^]*SELECT COUNT\(\*\* FROM/);
  },

  async "correct by click"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "orders per land");
    await turn.getByText("Not what you meant?").click();
    // a likely join is there already; another one is found by its name
    const [left, right] = [turn.getByLabel("One column of the join"), turn.getByLabel("The other column of the join")];
    await page.waitForFunction((field) => field.value !== "", await left.elementHandle());
    assert.match(`${await left.inputValue()} = ${await right.inputValue()}`, /^\w+\.\w+_id = \w+\.id$/);
    const again = turn.locator("form", { hasText: "Join on" }).getByRole("button", { name: "Ask again" });
    await left.fill("orders.no_such_column");
    assert.equal(await again.isDisabled(), true);
    const offered = await left.evaluate((field) => [...field.list.options].map((option) => option.value));
    assert.ok(offered.includes("orders.customer_id") && offered.length > 20, "every column is offered while one types");
    await turn.getByRole("group", { name: "Likely joins" }).getByRole("button", { name: "orders.customer_id = customers.id" }).click();
    await left.fill("orders.customer_id");
    await right.fill("customers.id");
    await turn.locator("form", { hasText: "Join on" }).getByRole("button", { name: "Ask again" }).click();
    const second = page.locator(test("turn")).nth(1);
    await second.locator(test("answer")).waitFor({ timeout: wait_ms });
    await unfold(second, "SQL");
    assert.match(await second.locator(test("sql")).innerText(), /o\.customer_id = c\.id/);
    await second.locator(test("learned")).getByText("join orders.customer_id = customers.id").waitFor();
    await second.getByText("Not what you meant?").click();
    await second.getByLabel("Use the table").locator("option", { hasText: "stores" }).waitFor({ state: "attached" });
  },
};
