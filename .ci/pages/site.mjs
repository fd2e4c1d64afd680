// The site as a reader has it, from a disk: a flock moves on the first page, the search finds,
// every page fits a desk and a phone, and nothing is fetched from elsewhere.
//
//   node site.mjs SITE FOLDER      SITE is what .ci/site has written; pictures go to FOLDER
import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [site, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};
const complaints = [];
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
  ],
});

const open = async (width, height, path) => {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url()))
      complaints.push(`${page.url()} fetches ${request.url()}`);
  });
  await page.goto(pathToFileURL(join(site, path)).href);
  return page;
};
const picture = (page, name) => page.screenshot({ path: join(folder, `site-${name}.png`) });

// The first page, with its flock.
for (const [name, width, height] of [["desk", 1280, 900], ["phone", 390, 844]]) {
  const page = await open(width, height, "index.html");
  const frame = await (await page.waitForSelector(".flock iframe")).contentFrame();
  await frame.waitForFunction(() => window.player?.drawn > 2);
  const step = () => frame.evaluate(() => player.source.latest);
  const before = await step();
  await frame.waitForFunction((least) => player.source.latest > least, before);
  const boids = await frame.evaluate(() => player.source.boids);
  const cards = await frame.locator(".card:visible").allTextContents();
  assert(cards.length === 0, `in a frame the flock is alone, not with ${cards}`);
  await picture(page, `home-${name}`);
  console.log(`${name}: ${boids} boids moved from step ${before} to ${await step()}`);
  await page.click(".flock a");
  await page.waitForFunction(() => window.player?.drawn > 2);
  await page.locator(".card:visible").first().waitFor();
  await page.context().close();
}

// The search.
{
  const page = await open(1280, 900, "index.html");
  await page.keyboard.press("/");
  await page.keyboard.type("separation", { delay: 20 });
  await page.locator("#mdbook-searchresults a").nth(3).waitFor();
  const found = await page.locator("#mdbook-searchresults a").allTextContents();
  assert(
    found.some((text) => /Model|MODEL/.test(text)),
    `the search for "separation" finds the model's formula among ${found.join(" | ")}`,
  );
  await picture(page, "search");
  await page.locator("#mdbook-searchresults a").first().click();
  await page.waitForURL(/highlight=separation/);
  assert(
    (await page.locator("mark").count()) > 0,
    `${page.url()} has no "separation", which the search found there`,
  );
  console.log(`search: ${found.length} places have "separation", the first: ${found[0].trim()}`);
  await page.context().close();
}

// Every page of the book: WINGBEAT_EVERY_LOOK=1.
if (process.env.WINGBEAT_EVERY_LOOK) {
  const page = await open(390, 844, "index.html");
  const links = await page
    .locator("#mdbook-sidebar a, nav.sidebar a")
    .evaluateAll((all) => all.map(({ href }) => href.split("#")[0]));
  const pages = [...new Set(links)].filter((link) => link.startsWith("file:"));
  assert(pages.length > 60, `the side bar has the book's pages: ${pages.length}`);
  for (const link of pages) {
    await page.goto(link);
    const name = relative(site, fileURLToPath(link));
    const { wide, heading } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      heading: document.querySelector("main h1")?.textContent,
    }));
    assert(heading, `${name} has no heading`);
    if (wide > 0) complaints.push(`${name} is ${wide} pixels wider than a phone`);
  }
  console.log(`${pages.length} pages fit a phone`);
  for (const name of ["docs/MODEL.html", "docs/COMPARISON.html", "api/index.html"]) {
    await page.goto(pathToFileURL(join(site, name)).href);
    await picture(page, `phone-${name.replace(/\W/g, "-")}`);
  }
  await page.context().close();
}

await browser.close();
if (complaints.length) {
  console.error([...new Set(complaints)].join("\n"));
  process.exit(1);
}
