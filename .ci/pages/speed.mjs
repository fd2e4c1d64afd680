// How fast flocks fly in a page, in headless Chromium, beside the command on one thread with the
// portable level, in the same minutes.
//
//   node speed.mjs WINGBEAT FOLDER
//
// A report, not a test: what is fast enough is the machine's business.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [wingbeat, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const run = (...args) => execFileSync(wingbeat, args, { cwd: folder, encoding: "utf8" });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--no-first-run"],
});
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
console.log(
  "| scene | boids | ms a step in the page | in the command, portable, one thread | ratio " +
    "| steps a second while it is drawn |\n|---|---|---|---|---|---|",
);
for (const scene of ["shoal", "murmuration"]) {
  for (const boids of [1000, 10000, 50000]) {
    const name = `speed-${scene}-${boids}.html`;
    run("page", scene, "--boids", String(boids), "-o", name);
    const page = await (await browser.newContext()).newPage();
    await page.goto(pathToFileURL(join(folder, name)).href);
    await page.waitForFunction(() => window.player?.drawn > 2);
    // While the flock is drawn, as fast as it can.
    await page.evaluate(() => window.engine.request({ do: "speed", factor: 1e6 }));
    await page.waitForTimeout(4000);
    const flown = await page.evaluate(() => player.source.rate);
    await page.evaluate(() => window.engine.land());
    const steps = Math.max(20, Math.round(400000 / boids));
    const [inPage, inCommand] = [[], []];
    for (let round = 0; round < 5; round++) {
      inPage.push(
        await page.evaluate(([warm, steps]) => window.engine.time(warm, steps), [100, steps]),
      );
      const { ns_per_boid_step } = JSON.parse(
        run(
          "run", scene, "--boids", String(boids), "--steps", String(100 + steps),
          "--level", "portable", "--threads", "1", "--json", "--no-html",
        ),
      );
      inCommand.push((ns_per_boid_step * boids) / 1e6);
    }
    const [here, there] = [median(inPage), median(inCommand)];
    console.log(
      `| ${scene} | ${boids} | ${here.toFixed(2)} | ${there.toFixed(2)} ` +
        `| ${(here / there).toFixed(2)} | ${Math.round(flown)} |`,
    );
    await page.context().close();
  }
}
await browser.close();
