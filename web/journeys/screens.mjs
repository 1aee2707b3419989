// Takes the pictures that the documents show:
//
//   node web/journeys/screens.mjs DRAGOMAN FOLDER
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, openServer } from "./harness.mjs";
import { ask, choose, open, test } from "./journeys.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const [dragoman, folder] = process.argv.slice(2);
if (!dragoman || !folder) {
  console.error("usage: node web/journeys/screens.mjs DRAGOMAN FOLDER");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = await openServer(path.resolve(dragoman), path.join(here, "script.txt"));
const browser = await openBrowser(process.env.CHROMIUM);

async function shots(settings, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...settings });
  const page = await context.newPage();
  await work(page, (name) => page.screenshot({ path: path.join(folder, `${name}.png`) }));
  await context.close();
}

try {
  await shots({}, async (page, shot) => {
    await open(page, server.base);
    await choose(page, "shop");
    await page.getByRole("region", { name: "Suggested questions" }).waitFor();
    await shot("ask");
    const months = await ask(page, "revenue of each month of 2024");
    await months.locator(`${test("chart")} canvas`).waitFor();
    await page.locator(test("talk")).evaluate((element) => element.scrollTo(0, 0));
    await shot("answer");
    await open(page, server.base);
    await choose(page, "shop");
    const turn = await ask(page, "total revenue by country");
    await turn.locator(`${test("chart")} canvas`).waitFor();
    await turn.getByText("Not what you meant?").click();
    await turn.getByLabel("Use the table").waitFor();
    await turn.getByText("Not what you meant?").scrollIntoViewIfNeeded();
    await page.locator(test("talk")).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await shot("correct");
    await page.locator(test("talk")).evaluate((element) => element.scrollTo(0, 0));
    await shot("chart");
  });
  await shots({ colorScheme: "dark" }, async (page, shot) => {
    await open(page, server.base, "#/sources/shop");
    await page.getByRole("tab", { name: "Diagram" }).click();
    await page.locator(test("diagram")).waitFor();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await shot("diagram");
    await open(page, server.base, "#/settings");
    await page.getByRole("region", { name: "Privacy" }).waitFor();
    await shot("settings");
  });
  await shots({ viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }, async (page, shot) => {
    await open(page, server.base);
    await choose(page, "shop");
    await ask(page, "Who is our best customer?", "clarification");
    await page.locator(test("talk")).evaluate((element) => element.scrollTo(0, 0));
    await shot("phone");
  });
} finally {
  await browser.close();
  await server.close();
}
