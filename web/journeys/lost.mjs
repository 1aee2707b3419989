// Nothing is lost: a running question survives a reload, another view, another tab and a restart of the server;
// two at once keep their order.
import assert from "node:assert/strict";
import { openServer, wait_ms } from "./harness.mjs";
import { ask, choose, open, test } from "./journeys.mjs";

const slow = "a question that takes two seconds";
const slower = "the number of employees, later";

/** Sends a question and waits only until the server has it. */
async function send(page, question) {
  const sent = page.waitForResponse((response) => response.url().endsWith("/api/v1/ask"));
  await page.fill(test("question"), question);
  await page.keyboard.press("Enter");
  await (await sent).finished();
}

const questions = (page) => page.locator(`${test("turn")} .question`).allInnerTexts();

async function stores(page, nth = 0) {
  const figure = page.locator(test("figure")).nth(nth);
  await figure.waitFor({ timeout: wait_ms });
  return figure.innerText();
}

export const lost = {
  async "reload while it runs"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const question = `${slow}, please`;
    await send(page, question);
    await page.waitForFunction(() => location.hash.startsWith("#/s/"));
    await page.reload();
    await page.locator(test("progress")).waitFor({ timeout: wait_ms });
    assert.deepEqual(await questions(page), [question]);
    await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: /takes two seconds/ }).first().waitFor();
    assert.match(await stores(page), /^\d+$/);
  },

  async "another view and another tab while it runs"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    const question = "something that takes a while"; // one that was answered before is answered at once
    await send(page, question);
    await page.waitForFunction(() => location.hash.startsWith("#/s/"));
    const address = page.url();
    await page.getByRole("link", { name: "Sources" }).click();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(address);
    await other.locator(test("progress")).waitFor({ timeout: wait_ms });
    await page.goBack();
    await page.locator(test("turn")).waitFor();
    assert.equal(await stores(page), await stores(other));
    // what is asked in one tab comes to the other when it is looked at
    await ask(other, "How many customers are there?");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    assert.equal(await stores(page, 1), "2,400");
    assert.deepEqual(await questions(page), [question, "How many customers are there?"]);
    await other.close();
  },

  async "two at once keep their order"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.fill(test("question"), slower);
    await page.keyboard.press("Enter");
    await page.fill(test("question"), slow);
    await page.keyboard.press("Enter");
    await page.locator('[data-test="turn"][data-status="finished"]').nth(1).waitFor({ timeout: wait_ms });
    assert.deepEqual(await questions(page), [slower, slow]);
    const before = [await stores(page, 0), await stores(page, 1)];
    await page.reload();
    await page.locator(test("figure")).nth(1).waitFor({ timeout: wait_ms });
    assert.deepEqual(await questions(page), [slower, slow]);
    assert.deepEqual([await stores(page, 0), await stores(page, 1)], before);
    assert.equal(new Set(before).size, 2);
  },

  async "a question that did not reach the server"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await page.route("**/api/v1/ask", (route) => route.abort());
    await page.fill(test("question"), "How many customers are there?");
    await page.keyboard.press("Enter");
    await page.locator(".problem").waitFor({ timeout: wait_ms });
    await page.unroute("**/api/v1/ask");
    await page.getByRole("button", { name: "Try again" }).click();
    assert.equal(await stores(page), "2,400");
  },

  /** A server of its own, which is ended in the middle of a question: politely, and without a warning. */
  async "a server that is restarted"({ page, dragoman, script }) {
    const server = await openServer(dragoman, script);
    try {
      for (const [signal, question] of [["SIGTERM", slow], ["SIGKILL", slower]]) {
        await open(page, server.base);
        await choose(page, "shop");
        await send(page, question);
        await page.waitForFunction(() => location.hash.startsWith("#/s/"));
        await server.end(signal); // told to end, it answers first what takes no longer than its grace
        if (signal === "SIGKILL") await page.getByRole("alert").getByText(/Connection lost/).waitFor({ timeout: wait_ms });
        await server.start();
        assert.match(await stores(page), /^\d+$/, signal);
        assert.deepEqual(await questions(page), [question]);
        assert.equal(await page.locator(".problem").count(), 0);
      }
      // also for whoever comes back after the restart
      await open(page, server.base);
      await choose(page, "shop");
      await send(page, `${slow} and more`);
      await page.waitForFunction(() => location.hash.startsWith("#/s/"));
      const address = page.url();
      await page.goto("about:blank");
      await server.end("SIGKILL");
      await server.start();
      await page.goto(address);
      assert.match(await stores(page), /^\d+$/);
      assert.deepEqual(await questions(page), [`${slow} and more`]);
    } finally {
      await server.close();
    }
  },
};
