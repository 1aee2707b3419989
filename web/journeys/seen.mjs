// What people see first: the answer in words, its numbers, the chart and the table at once; wide tables whose
// header and cells agree; a box that covers nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openServer, wait_ms } from "./harness.mjs";
import { ask, beside, choose, open, test, unfold } from "./journeys.mjs";

const box = (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());

/** The picture as text, from the button that saves it. */
async function svgOf(page, turn) {
  const coming = page.waitForEvent("download");
  await turn.getByRole("button", { name: "SVG" }).click();
  return readFileSync(await (await coming).path(), "utf8");
}

/** The words in a picture, in the order of the file. */
const words = (svg) => [...svg.matchAll(/<text[^>]*[^/>]>([^<]*)</g)].map((match) => match[1]).filter(Boolean);

async function drawn(turn) {
  await turn.locator(`${test("chart")} canvas`).waitFor({ timeout: wait_ms });
}

/** The columns that can be seen stand below their titles, and the first one stays. */
async function aligned(grid, what) {
  const found = await grid.evaluate((element) => {
    const lines = [...element.querySelectorAll(".line")];
    const edges = lines.map((line) => [...line.children].map((cell) => Math.round(cell.getBoundingClientRect().left)));
    return { edges, left: Math.round(element.getBoundingClientRect().left), wide: element.scrollWidth > element.clientWidth };
  });
  assert.ok(found.wide, `${what}: the table is wider than its place`);
  for (const line of found.edges) assert.deepEqual(line, found.edges[0], `${what}: cells and titles have the same edges`);
  assert.ok(Math.abs(found.edges[1][0] - found.left) <= 2, `${what}: the first column is in sight`);
}

export const seen = {
  async "a wide table"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "every column of the orders");
    const grid = turn.locator(test("grid"));
    await aligned(grid, "at the beginning");
    await grid.evaluate((element) => element.scrollTo(260, 4000));
    await grid.locator('[aria-rowindex="121"]').waitFor();
    await aligned(grid, "in the middle");
    await page.setViewportSize({ width: 360, height: 740 });
    await grid.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await aligned(grid, "on a phone, at the right end");
    assert.equal(await turn.locator(test("chart")).count(), 0, "a list is no chart");
    // names in words, cells with separators, and both as they are in the clipboard
    assert.match(await turn.getByRole("columnheader").allInnerTexts().then((all) => all.join("|")), /customer id\|/);
  },

  async "the chart at once"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await drawn(turn);
    const [chart, grid] = [await box(turn.locator(test("chart"))), await box(turn.locator(test("grid")))];
    assert.ok(chart.right <= grid.left && chart.top < grid.bottom, "the table stands beside the chart");
    assert.equal(await turn.locator(test("sql")).count(), 0, "SQL is there for those who ask for it");
    await turn.locator(".meta").getByText(/^(Sure|Likely|Unsure)$/).waitFor();
    // the largest first, each with its value
    const text = words(await svgOf(page, turn));
    const rows = await (await fetch(`${base}/api/v1/ask/${await answerId(page)}`)).json();
    const sorted = [...rows.rows].sort((a, b) => b[1] - a[1]).map(([country]) => country ?? "");
    const names = text.filter((each) => sorted.includes(each));
    assert.deepEqual(names, sorted.filter(Boolean));
    // another kind by a click, and none
    const picture = () => turn.locator(`${test("chart")} canvas`).evaluate((canvas) => canvas.toDataURL());
    const before = await picture();
    await turn.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Bars" }).waitFor();
    await turn.getByRole("button", { name: "Axes and colours" }).click();
    await turn.getByLabel("Chart type").selectOption("scatter");
    await page.waitForFunction((old) => {
      const canvas = document.querySelector('[data-test="chart"] canvas');
      return canvas && canvas.toDataURL() !== old;
    }, before);
    await turn.getByRole("button", { name: "Hide chart" }).click();
    assert.equal(await turn.locator(test("chart")).count(), 0);
    await turn.getByRole("button", { name: "Show as a chart" }).click();
    await drawn(turn);
    // on a phone they stand above each other
    await page.setViewportSize({ width: 360, height: 740 });
    const [above, below] = [await box(turn.locator(test("chart"))), await box(turn.locator(test("grid")))];
    assert.ok(above.bottom <= below.top);
    await unfold(turn, "SQL");
    assert.match(await turn.locator(test("sql")).innerText(), /SELECT/);
  },

  async "a series with its last value"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "revenue of each month of 2024");
    await drawn(turn);
    const figures = turn.locator(test("figures"));
    assert.match(await figures.innerText(), /revenue\s+Dec 2024/);
    assert.match(await figures.locator(test("change")).innerText(), /[+−][\d.]+ %\s+against Nov 2024/);
    const values = await (await fetch(`${base}/api/v1/ask/${await answerId(page)}`)).json();
    const most = Math.max(...values.rows.map((row) => row[1]));
    const text = words(await svgOf(page, turn));
    assert.ok(text.includes(new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(most)), `the best month is named: ${text}`);
    assert.ok(text.some((each) => /^\d+K$/.test(each)) && text.some((each) => /^[A-Z][a-z]{2} 2024$/.test(each)), `axes for people: ${text}`);
    // as an area, by a click
    await turn.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Area" }).click();
    await turn.locator('[aria-pressed="true"]', { hasText: "Area" }).waitFor();
    // several measures: a card for each, with its line
    const second = await ask(page, "revenue and orders of each month");
    assert.equal(await second.locator(test("figure")).count(), 2);
    assert.equal(await second.locator(".number-line").count(), 2);
  },

  async "numbers of one row"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "revenue of 2024 against 2023");
    assert.equal(await turn.locator(test("figure")).count(), 1);
    assert.match(await turn.locator(test("change")).innerText(), /[+−][\d.]+ % against [\d,.]+/);
  },

  async "a small chart for each of many groups"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "orders of each month and country");
    await drawn(turn);
    await turn.locator('[aria-pressed="true"]', { hasText: "Small charts" }).waitFor();
    const text = words(await svgOf(page, turn));
    for (const country of ["Germany", "France", "Austria"]) assert.equal(text.filter((each) => each === country).length, 1, country);
    const [chart, room] = [await box(turn.locator(`${test("chart")} canvas`)), await box(turn.locator(test("chart")))];
    assert.ok(chart.width <= room.width + 1, "they fit into their place");
  },

  async "the box covers nothing"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await drawn(turn);
    for (const size of [{ width: 1280, height: 700 }, { width: 360, height: 640 }]) {
      await page.setViewportSize(size);
      const talk = page.locator(test("talk"));
      await talk.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      const [last, foot] = [await box(page.locator(".questions li").last()), await box(page.locator(".askbox"))];
      assert.ok(last.bottom <= foot.top, `the last line ends at ${last.bottom}, the box begins at ${foot.top}`);
      assert.ok(foot.bottom <= size.height, "the box is in sight");
      await talk.evaluate((element) => element.scrollTo(0, 300));
      const [view, again] = [await box(talk), await box(page.locator(".askbox"))];
      assert.ok(view.bottom <= again.top, "what scrolls ends above the box");
    }
    // the keys that scroll a page scroll the conversation from the box, too
    await page.locator(test("talk")).evaluate((element) => element.scrollTo(0, 0));
    await page.locator(test("question")).press("PageDown");
    await page.waitForFunction((where) => document.querySelector(where).scrollTop > 0, test("talk"));
  },

  /** A server of its own, where nobody has asked anything. */
  async "the first minute"({ page, dragoman, script }) {
    const server = await openServer(dragoman, script);
    try {
      await page.addInitScript(() => localStorage.setItem("dragoman.brain", "parser"));
      await open(page, server.base);
      await choose(page, "shop");
      const first = page.locator(test("first"));
      await first.getByRole("button", { name: /See a trend/ }).waitFor({ timeout: wait_ms });
      assert.equal(await first.locator("li").count(), 3);
      await first.getByRole("button", { name: /See a trend/ }).click();
      await drawn(page.locator(test("turn")));
      await page.locator(test("change")).waitFor();
      // the next time there are only the suggestions
      await page.getByRole("link", { name: "New conversation" }).click();
      await page.getByRole("region", { name: "Suggested questions" }).getByRole("button").first().waitFor();
      assert.equal(await first.count(), 0);
      await page.getByRole("button", { name: "Top 5 customers by number of orders" }).click();
      await drawn(page.locator(test("turn")));
    } finally {
      await server.close();
    }
  },

  async "a file dropped onto the question"({ page, base }) {
    await open(page, base);
    await page.locator(test("question")).waitFor();
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(new File(["city,people\nRome,2800000\nParis,2100000\nLisbon,550000\n"], "harbours.csv", { type: "text/csv" }));
      return made;
    });
    await page.locator(".askbox").dispatchEvent("dragenter", { dataTransfer: transfer });
    await page.getByText("Drop the files here to ask about them").waitFor();
    await page.locator(".askbox").dispatchEvent("drop", { dataTransfer: transfer });
    await page.locator(test("live")).getByText("You can now ask about harbours").waitFor({ timeout: wait_ms });
    await page.waitForFunction(() => document.querySelector(".askbox select")?.selectedOptions[0]?.textContent === "harbours");
    const turn = await ask(page, "How many harbours are there?");
    assert.equal(await turn.locator(test("figure")).innerText(), "3");
    assert.match(await turn.locator(".meta").innerText(), /harbours/);
    await beside(page).getByText(/^harbours/).waitFor(); // by its name, not by its id
    // what is no data is refused here, too
    const broken = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(new File(["this is no workbook"], "broken.xlsx"));
      return made;
    });
    await page.locator(".askbox").dispatchEvent("drop", { dataTransfer: broken });
    await page.locator(`${test("drop-state")} .problem`).waitFor({ timeout: wait_ms });
  },

  async "what a source card says"({ page, base }) {
    await open(page, base, "#/sources");
    const card = page.locator(test("source")).filter({ hasText: "The sample shop" });
    const facts = card.locator(test("facts"));
    await facts.waitFor({ timeout: wait_ms });
    assert.match(await facts.innerText(), /^\d+ tables · (about )?[\d,]{5,} rows · data up to \d+ [A-Z][a-z]{2} \d{4} · read /);
    await card.getByText("Set up by the operator").waitFor();
  },

  async "help with the keys"({ page, base }) {
    await open(page, base);
    await page.getByRole("button", { name: "Keyboard help" }).click();
    const help = page.locator(test("keys"));
    await help.getByText("search questions, sources and saved queries").waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.locator("main").focus();
    await page.keyboard.press("?");
    await help.waitFor();
    await help.getByRole("button", { name: "Close" }).click();
    await page.locator("main").focus();
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.dataset.test), "question");
    await page.keyboard.type("what?"); // in the box, the signs are text
    assert.equal(await page.locator(test("question")).inputValue(), "what?");
    assert.equal(await help.count(), 0);
  },

  async "steps as they come"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.fill(test("question"), "the slow question");
    await page.keyboard.press("Enter");
    const list = page.getByRole("list", { name: "Progress of the question" });
    await list.locator(".is-done").first().waitFor({ timeout: wait_ms });
    assert.equal(await list.locator(test("step")).count(), 1, "one step is the current one, and the last");
    assert.equal(await page.locator(".dot").count(), 0);
    await page.keyboard.press("Escape");
    await page.locator('[data-test="turn"][data-status="stopped"]').waitFor({ timeout: wait_ms });
  },
};

/** The id of the last answer, from the link to it. */
async function answerId(page) {
  await page.locator(test("answer")).last().getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  return link.split("/").pop();
}
