// Memory: lessons, saved queries with parameters, the history and taught examples.
import assert from "node:assert/strict";
import { wait_ms } from "./harness.mjs";
import { ask, choose, open, test } from "./journeys.mjs";

export const memory = {
  async "remember a word"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await turn.getByRole("button", { name: "Remember this" }).click();
    const form = turn.locator(test("remember"));
    await form.getByLabel("A word means a column").check();
    await form.getByRole("button", { name: "revenue" }).click();
    await form.getByLabel("What it means here").selectOption("orders.total_amount");
    await form.getByRole("button", { name: "Remember" }).click();
    await page.locator(test("live")).getByText("revenue means orders.total_amount").waitFor();
    // there it is: edited, switched off, deleted
    await open(page, base, "#/memory/lessons");
    const lesson = page.locator(test("lesson")).filter({ hasText: "revenue" });
    assert.match(await lesson.innerText(), /means\s+orders\.total_amount/);
    assert.match(await lesson.innerText(), /taught/);
    await lesson.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("What revenue means").fill("order_items.unit_price");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await lesson.getByText("order_items.unit_price").waitFor();
    await lesson.getByRole("switch").uncheck();
    await lesson.getByText("switched off").waitFor();
    await page.reload();
    assert.equal(await lesson.getByRole("switch").isChecked(), false, "it is the server that keeps it");
    await lesson.getByRole("button", { name: "Delete “revenue”" }).click();
    await lesson.waitFor({ state: "detached" });
  },

  async "saved query with a value"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "customers in Italy");
    const italy = await turn.locator(test("figure")).innerText();
    await turn.getByRole("button", { name: "Save", exact: true }).click();
    const form = turn.locator(test("save"));
    await form.getByLabel("Name").fill("Customers of a country");
    await form.getByRole("button", { name: "country: Italy" }).click();
    assert.equal(await form.getByLabel("Default value").inputValue(), "Italy");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. You can find it under Memory.").first().waitFor();
    const run = async (country) => {
      await open(page, base, "#/memory/saved");
      const saved = page.locator(test("saved")).filter({ hasText: "Customers of a country" });
      if (country) await saved.getByRole("textbox", { name: "country" }).fill(country);
      await saved.getByRole("button", { name: "Run" }).click();
      await page.locator(test("figure")).waitFor({ timeout: wait_ms });
      return page.locator(test("figure")).innerText();
    };
    assert.equal(await run(), italy);
    assert.notEqual(await run("Germany"), italy);
    assert.equal(await run("Italy' OR 1=1 --"), "0", "a value stays a value");
    await open(page, base, "#/memory/saved");
    await page.getByRole("button", { name: "Delete “Customers of a country”" }).click();
    await page.locator(test("saved")).filter({ hasText: "Customers of a country" }).waitFor({ state: "detached" });
  },

  async "history and examples"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many orders are there?");
    await ask(page, "total revenue by country");
    await open(page, base, "#/memory/history");
    await page.getByLabel("Search questions").fill("revenue");
    const rows = page.locator(test("asked"));
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll('[data-test="asked"]')];
      const texts = all.map((each) => each.textContent); // SQL is searched, too
      return texts.some((text) => /total revenue by country/.test(text)) && !texts.some((text) => /How many orders/.test(text));
    });
    await page.getByLabel("Search questions").fill("zzzz");
    await page.getByText("No question or SQL contains").waitFor();
    await page.getByLabel("Search questions").fill("revenue");
    await rows.filter({ hasText: "total revenue by country" }).first().getByRole("link").click();
    await page.locator(test("grid")).waitFor({ timeout: wait_ms });
    // an example is taught, listed and forgotten
    await open(page, base, "#/memory/taught");
    await page.getByRole("textbox", { name: "Question" }).fill("the oldest customer");
    await page.getByRole("textbox", { name: "SQL" }).fill("SELECT * FROM customers ORDER BY birth_date LIMIT 1");
    await page.getByLabel("Database").selectOption("shop");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const example = page.locator(test("taught")).filter({ hasText: "the oldest customer" });
    assert.match(await example.innerText(), /ORDER BY birth_date/);
    await example.getByRole("button", { name: "Delete “the oldest customer”" }).click();
    await example.waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Question" }).fill("a bad one");
    await page.getByRole("textbox", { name: "SQL" }).fill("DROP TABLE customers");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator(".note").waitFor();
    assert.equal(await page.locator(test("taught")).filter({ hasText: "a bad one" }).count(), 0);
    assert.equal(await page.getByRole("textbox", { name: "Question" }).inputValue(), "a bad one", "what was typed is not lost");
  },
};
