// Sources: files dropped onto the page, databases by their address, what is in them and what has
// changed; and the same with a key that may ask and nothing more.
import assert from "node:assert/strict";
import path from "node:path";
import { change, command, openServer, wait_ms } from "./harness.mjs";
import { ask, choose, open, test } from "./journeys.mjs";

/** Drops a file as a browser does: a DataTransfer with the file in it. */
async function drop(page, name, text) {
  const transfer = await page.evaluateHandle(
    ([file, content]) => {
      const made = new DataTransfer();
      made.items.add(new File([content], file, { type: "text/csv" }));
      return made;
    },
    [name, text],
  );
  const zone = page.locator(test("drop"));
  await zone.dispatchEvent("dragover", { dataTransfer: transfer });
  await page.getByText("Drop the files to add them").waitFor();
  await zone.dispatchEvent("drop", { dataTransfer: transfer });
}

/** A key that another process made closes the door within a second. */
async function locked(base) {
  while ((await fetch(`${base}/api/v1/me`)).status !== 401) await new Promise((resolve) => setTimeout(resolve, 50));
}

const rivers = `river,km\n${Array.from({ length: 20_000 }, (_, i) => `river ${i},${i * 3}`).join("\n")}\n`;

export const sources = {
  async "drag and drop"({ page, base }) {
    await open(page, base, "#/sources");
    // slow enough to be seen
    const client = await page.context().newCDPSession(page);
    await client.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 });
    await drop(page, "rivers.csv", rivers);
    const progress = page.locator(`${test("upload-progress")} progress`);
    await progress.waitFor();
    await page.waitForFunction(() => {
      const part = document.querySelector('[data-test="upload-progress"] progress')?.value ?? 0;
      return part > 0 && part < 1;
    });
    await progress.waitFor({ state: "detached", timeout: wait_ms });
    const card = page.locator(test("source")).filter({ hasText: "rivers" });
    await card.getByText("Only you can see and use it.").waitFor();
    await card.getByRole("link", { name: "Schema of rivers" }).click();
    await page.getByRole("heading", { name: "rivers", exact: true }).waitFor();
    await page.locator(test("table")).filter({ hasText: "20,000 rows" }).waitFor();
    await open(page, base, "#/sources");
    await drop(page, "broken.xlsx", "this is no workbook");
    await page.locator(".problem").waitFor({ timeout: wait_ms });
    await card.getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
  },

  async "connect by address"({ page, base, folder }) {
    await open(page, base, "#/sources");
    await page.getByLabel("Address").fill(path.join(folder, "nothing-here.db"));
    const form = page.locator("form", { hasText: "Connect a database" });
    await form.getByRole("button", { name: "Test" }).click();
    await form.locator(".badge.is-bad, .problem").first().waitFor({ timeout: wait_ms });
    await page.getByLabel("Address").fill(path.join(folder, "extra.db"));
    await page.getByLabel("Name", { exact: true }).fill("planets");
    await form.getByRole("button", { name: "Test" }).click();
    await form.locator(".badge.is-good").first().waitFor({ timeout: wait_ms });
    assert.equal(await form.locator(".problem").count(), 0);
    await form.getByRole("button", { name: "Connect" }).click();
    const card = page.locator(test("source")).filter({ hasText: "planets" });
    await card.getByRole("link", { name: "Ask about planets" }).click();
    assert.equal(await page.getByLabel("Database").inputValue(), "planets");
    const turn = await ask(page, "How many planets are there?");
    assert.equal(await turn.locator(test("figure")).innerText(), "1");
    await open(page, base, "#/sources");
    await card.getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
  },

  async "describe, refresh, changes"({ page, base, folder }) {
    await open(page, base, "#/sources/changing");
    const table = page.locator(test("table")).filter({ hasText: "parts" });
    await table.getByRole("button", { name: "Describe parts.name" }).click();
    await table.getByLabel("Description of parts.name").fill("What the part is called");
    await table.getByLabel("Synonyms").fill("title, label");
    await table.getByRole("button", { name: "Save", exact: true }).click();
    await table.getByText("What the part is called").waitFor();
    await page.reload();
    await page.getByText("What the part is called").waitFor();
    await page.getByText("(title, label)").waitFor();
    // the database changes behind its back
    change(path.join(folder, "changing.db"), "ALTER TABLE parts ADD COLUMN weight REAL; CREATE TABLE bins (id INTEGER PRIMARY KEY, part_id INTEGER REFERENCES parts(id));");
    await page.getByRole("button", { name: "Read the schema again" }).click();
    const changes = page.locator(test("changes"));
    await changes.getByText("parts.weight").waitFor({ timeout: wait_ms });
    assert.match(await changes.innerText(), /bins\s+is new/);
    await page.getByLabel("Find a table or a column").fill("weight");
    await page.getByRole("rowheader", { name: "weight" }).waitFor();
    await page.getByRole("tab", { name: "Diagram" }).click();
    const width = () => page.locator(test("diagram")).evaluate((svg) => svg.getBoundingClientRect().width);
    const before = await width();
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok((await width()) > before);
    await page.getByRole("button", { name: "bins" }).press("Enter");
    await page.getByRole("rowheader", { name: "part_id" }).waitFor();
  },

  /** A server of its own: nobody has told it of a database. */
  async "no database but a file"({ page, script, dragoman }) {
    const server = await openServer(dragoman, script, { bare: true });
    try {
      await open(page, server.base);
      await page.getByText("No database yet.").waitFor();
      await page.getByRole("link", { name: "Add a source" }).click();
      await drop(page, "sales.csv", "region,amount\nnorth,10\nsouth,20\nnorth,5\n");
      const card = page.locator(test("source")).filter({ hasText: "sales" });
      await card.getByText("Only you can see and use it.").waitFor({ timeout: wait_ms });
      await open(page, server.base);
      // the statuses of the page, in the order that it showed them
      await page.evaluate(() => {
        window.shown = [];
        new MutationObserver(() => {
          for (const turn of document.querySelectorAll('[data-test="turn"]')) {
            const status = turn.getAttribute("data-status");
            if (status && status !== window.shown.at(-1)) window.shown.push(status);
          }
        }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-status"] });
      });
      const first = await ask(page, "How many sales are there?");
      assert.equal(await first.locator(test("figure")).innerText(), "3");
      assert.match(await first.locator(".meta").innerText(), /sales/);
      const order = ["sending", "running", "understanding", "searching", "planning", "generating", "correcting", "finished"];
      const shown = (await page.evaluate(() => window.shown)).map((status) => order.indexOf(status));
      assert.ok(!shown.includes(-1), "no status is unknown");
      assert.deepEqual(shown, [...shown].sort((a, b) => a - b), "no status goes back");
      assert.equal(shown.at(-1), order.indexOf("finished"));
      // it asks back in the same conversation, and goes on with what was clicked
      const back = await ask(page, "Which is the best sale?", "clarification");
      await back.getByText("Best by what?").waitFor();
      await back.getByRole("button", { name: "by amount" }).click();
      await back.locator(test("answer")).waitFor({ timeout: wait_ms });
      assert.equal(await back.locator(test("figure")).innerText(), "20");
      // and in words; the conversation is there after a reload, clarification answered
      const again = await ask(page, "Which is the best sale of all?", "clarification");
      await again.getByLabel("Or answer in your own words").fill("by amount");
      await again.getByRole("button", { name: "Answer" }).click();
      await again.locator(test("figure")).waitFor({ timeout: wait_ms });
      await page.reload();
      await page.locator(test("figure")).nth(2).waitFor({ timeout: wait_ms });
      assert.deepEqual(await page.locator(test("figure")).allInnerTexts(), ["3", "20", "20"]);
      // gone again, and the page says so
      await open(page, server.base, "#/sources");
      await card.getByRole("button", { name: "Remove" }).click();
      await card.waitFor({ state: "detached" });
      await open(page, server.base);
      await page.getByText("No database yet.").waitFor();
    } finally {
      await server.close();
    }
  },

  /** A server of its own: with the first key its door closes. */
  async "files with a key"({ page, script, dragoman }) {
    const server = await openServer(dragoman, script);
    try {
      const key = command(server, ["keys", "add", "ann"]).match(/dgm_\S+/)[0];
      await locked(server.base);
      await open(page, server.base, "#/sources");
      await page.getByLabel("Key").fill("dgm_wrong");
      await page.getByRole("button", { name: "Use this key" }).click();
      await page.getByRole("heading", { name: "Access key required" }).waitFor();
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Use this key" }).click();
      await page.locator(test("drop")).waitFor();
      await drop(page, "cities.csv", "city,people\nRome,2800000\nParis,2100000\nLisbon,550000\n");
      await page.locator(test("source")).filter({ hasText: "cities" }).waitFor({ timeout: wait_ms });
      assert.equal(await page.locator(".problem").count(), 0, "no admin is needed for one's own file");
      await open(page, server.base);
      await choose(page, "cities");
      const turn = await ask(page, "How many cities are there?");
      assert.equal(await turn.locator(test("figure")).innerText(), "3");
      assert.match(await turn.locator(".meta").innerText(), /cities/);
      await open(page, server.base, "#/settings");
      await page.getByText("Only admins can manage keys").waitFor();
    } finally {
      await server.close();
    }
  },
};
