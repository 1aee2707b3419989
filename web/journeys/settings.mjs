// Settings: the model's connection, keys, how the page looks; and Ctrl+K.
import assert from "node:assert/strict";
import { openServer, wait_ms } from "./harness.mjs";
import { ask, choose, open, test } from "./journeys.mjs";

export const settings = {
  async "model test"({ page, base }) {
    await open(page, base, "#/settings");
    const model = page.getByRole("region", { name: "Language model" });
    assert.equal(await model.getByLabel("Protocol").inputValue(), "scripted");
    await model.getByRole("button", { name: "Test the connection" }).click();
    await model.locator(test("model-test")).waitFor({ timeout: wait_ms });
    assert.notEqual(await model.locator(test("model-test")).innerText(), "");
    await page.getByRole("radio", { name: /Built-in parser only/ }).check();
    await page.reload();
    assert.equal(await page.getByRole("radio", { name: /Built-in parser only/ }).isChecked(), true);
    // the parser answers now, for this browser alone
    await open(page, base);
    await choose(page, "shop");
    const turn = await ask(page, "How many stores are there?");
    assert.match(await turn.locator(".meta").innerText(), /Built-in parser/);
  },

  /** A server of its own, since it is changed. */
  async "change settings"({ page, script, dragoman }) {
    const server = await openServer(dragoman, script);
    const told = async () => (await fetch(`${server.base}/api/v1/settings`)).json();
    try {
      await open(page, server.base, "#/settings");
      const rows = page.getByRole("switch", { name: /Models may see rows/ });
      assert.equal(await rows.isChecked(), true);
      await rows.uncheck();
      await page.locator(test("live")).getByText("Saved.").waitFor();
      assert.equal((await told()).settings["llm.send_rows"], "false");
      await page.reload();
      assert.equal(await rows.isChecked(), false, "it is the server that keeps it");
      await page.getByLabel("Default for all users").selectOption("parser");
      await page.locator(test("live")).getByText("Saved.").waitFor();
      const model = page.locator(test("model"));
      await model.getByLabel("Model", { exact: true }).fill("small-model");
      await model.getByRole("button", { name: "Save" }).click();
      await model.getByRole("button", { name: "Reset" }).waitFor();
      assert.equal((await told()).settings["llm.model"], "small-model");
      // a key is named, never typed in; the refusal says what to do
      await model.getByLabel("Environment variable with the API key").fill("sk-secret");
      await model.getByRole("button", { name: "Save" }).click();
      await model.locator(".problem").getByText(/API_KEY/).first().waitFor();
      await model.getByLabel("Environment variable with the API key").fill("");
      await model.getByRole("button", { name: "Reset" }).click();
      await model.getByRole("button", { name: "Reset" }).waitFor({ state: "detached" });
      assert.notEqual((await told()).settings["llm.model"], "small-model");
      // the parser answers now, for everybody
      await open(page, server.base);
      await choose(page, "shop");
      const turn = await ask(page, "How many stores are there?");
      assert.match(await turn.locator(".meta").innerText(), /Built-in parser/);
    } finally {
      await server.close();
    }
  },

  /** A server of its own: with the first key its door closes. */
  async keys({ page, script, dragoman, browser }) {
    const server = await openServer(dragoman, script);
    try {
      await open(page, server.base, "#/settings");
      const keys = page.getByRole("region", { name: "Access keys" });
      await keys.getByText("There are no keys").waitFor();
      await keys.getByText("Once the first key exists").waitFor();
      const make = async (account, scope) => {
        await keys.getByLabel("Account").fill(account);
        await keys.getByLabel("Permissions").selectOption(scope);
        await keys.getByRole("button", { name: "Create a key" }).click();
        const made = keys.locator(test("new-key"));
        await made.getByRole("heading", { name: `The key of ${account}` }).waitFor();
        const key = await made.locator(".secret").innerText();
        assert.match(key, /^dgm_\w+_\S+$/);
        await made.getByRole("button", { name: "Done" }).click();
        await page.getByText(key).waitFor({ state: "detached" }); // it is shown once
        return key;
      };
      await make("boss", "admin");
      await page.getByText("Signed in as boss.").waitFor();
      const reader = await make("reader", "read");
      await keys.locator(test("key")).nth(1).waitFor();
      // another browser: nothing without a key, looking with the reader's
      const other = await browser.newContext();
      const their = await other.newPage();
      await open(their, server.base, "#/sources");
      await their.getByLabel("Key").fill(reader);
      await their.getByRole("button", { name: "Use this key" }).click();
      await their.locator(test("source")).first().waitFor();
      // revoked: twice pressed, so that no slip locks anybody out
      const row = keys.locator(test("key")).filter({ hasText: "reader" });
      await row.getByRole("button", { name: "Revoke the key of reader" }).click();
      await row.getByRole("button", { name: "Really revoke" }).click();
      await row.waitFor({ state: "detached" });
      await their.reload();
      await their.getByRole("heading", { name: "Access key required" }).waitFor({ timeout: wait_ms });
      await other.close();
      await keys.getByLabel("Account").fill("no such name!");
      await keys.getByRole("button", { name: "Create a key" }).click();
      await keys.locator(".problem").waitFor();
    } finally {
      await server.close();
    }
  },

  async language({ page, base, requests }) {
    await open(page, base, "#/settings");
    assert.ok(!requests.some((url) => /\/de-/.test(url)), "another language is not loaded before it is wanted");
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    await page.getByRole("link", { name: "Neues Gespräch" }).click();
    await page.getByRole("heading", { name: "Was möchten Sie wissen?" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Was möchten Sie wissen?" }).waitFor();
    await open(page, base, "#/settings");
    await page.getByRole("combobox", { name: "Sprache" }).selectOption("en");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  },

  async "search with Ctrl+K"({ page, base }) {
    await open(page, base);
    await choose(page, "shop");
    await ask(page, "How many orders are there?");
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: "Search" });
    await box.fill("chang");
    await page.locator(test("palette")).getByRole("option", { name: "changing" }).waitFor();
    await box.fill("how many orders");
    await page.locator(test("palette")).getByRole("option", { name: /How many orders/ }).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.locator(test("palette")).waitFor({ state: "detached" });
    await page.locator(test("figure")).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await page.locator(test("palette")).waitFor({ state: "detached" });
    // what is nothing of this is carried into the box
    await page.keyboard.press("Control+k");
    await box.fill("zebras per stable");
    await page.getByText("Press Enter to ask this").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector('[data-test="question"]')?.value === "zebras per stable");
  },
};
