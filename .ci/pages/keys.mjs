// Every control of the pages of every preset, with the keyboard alone: on a phone and on a desk,
// dark and light. Nothing may complain. Each preset has one or two of the four looks, with
// WINGBEAT_EVERY_LOOK all of them.
export const everyControl = async ({ open, run, assert }) => {
  const presets = run("presets").trim().split("\n").map((line) => line.split(" ")[0]);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const desk = { viewport: { width: 1440, height: 900 } };
  const looks = [[phone, "dark"], [desk, "light"], [phone, "light"], [desk, "dark"]];
  for (const [n, name] of presets.entries()) {
    run("run", name, "--boids", "100", "--steps", "30", "--html", `keys-${name}.html`);
    run("page", name, "--boids", "100", "-o", `keys-own-${name}.html`);
    // Every preset's recording, from which the flock also flies on; of the pages that only fly
    // every third. Each look has its turn.
    const files = [`keys-${name}.html`, ...(n % 3 === 0 ? [`keys-own-${name}.html`] : [])];
    const every = process.env.WINGBEAT_EVERY_LOOK
      ? looks.flatMap((look) => files.map((file) => [look, file]))
      : files.map((file, k) => [looks[(n + 2 * k) % 4], file]);
    for (const [[settings, colorScheme], file] of every) {
      const k = files.indexOf(file);
      const page = await open(file, { ...settings, colorScheme, acceptDownloads: true });
      const where = `${file}, ${settings.viewport.width} wide, ${colorScheme}`;
      await player(page, where);
      if (k === 0) {
        await page.keyboard.press("l");
        await page.waitForFunction(() => window.player.source.live);
      }
      await panel(page, where);
      if (k === 0) {
        await page.locator("#view").focus();
        await page.keyboard.press("l");
        await page.waitForFunction(() => !window.player.source.live);
      }
      await page.context().close();
    }
  }

  // All keys of the help, and everything that the tab key reaches outside of the panel.
  async function player(page, where) {
    await page.locator("#view").focus();
    for (const key of [
      "Space", "ArrowRight", "Shift+ArrowRight", "ArrowLeft", "c", "c", "t", "t", "[", "]", "n",
      "f", "f", "r", "+", "-", "d", "d", "End", "Home", "Space",
    ]) {
      await page.keyboard.press(key);
    }
    const reached = await tabbed(page, "body", async (one) => {
      if (["INPUT range", "SELECT"].includes(one)) await page.keyboard.press("ArrowRight");
      else if (one === "BUTTON") await press(page);
      else if (one === "SUMMARY") await page.keyboard.press("Enter");
    });
    assert(reached > 12, `${where}: the tab key reaches ${reached} controls`);
    for (const size of await page.evaluate(() => [
      document.documentElement.scrollWidth - innerWidth,
      document.documentElement.scrollHeight - innerHeight,
    ])) {
      assert(size <= 0, `${where}: the page is ${size} pixels larger than the screen`);
    }
    await page.keyboard.press("Escape");
  }

  // Saving opens a dialog of the browser's, and the ways to another source have keys of their own.
  async function press(page) {
    const what = await page.evaluate(
      () => document.activeElement.dataset.save ?? document.activeElement.id,
    );
    if (["film", "fly"].includes(what)) return;
    await page.keyboard.press("Space");
    if (await page.evaluate(() => document.getElementById("keys").open))
      await page.keyboard.press("Escape");
  }

  // Every slider, box and switch of the panel.
  async function panel(page, where) {
    await page.waitForSelector("#panel", { state: "attached" });
    if (await page.locator("#panel").isHidden()) {
      await page.locator("#view").focus();
      await page.keyboard.press("p");
    }
    await page.waitForSelector("#panel:not([hidden])");
    // It stands still meanwhile: without a graphics card every picture takes its time.
    await page.locator("#view").focus();
    await page.keyboard.press("Space");
    // All groups are unfolded first, so that every row can be reached.
    await tabbed(page, "#panel", async (one) => {
      const folded =
        one === "SUMMARY" &&
        (await page.evaluate(() => !document.activeElement.parentElement.open));
      if (folded) await page.keyboard.press("Space");
    });
    const reached = await tabbed(page, "#panel", async (one) => {
      if (["INPUT range", "SELECT"].includes(one)) await page.keyboard.press("ArrowRight");
      // A rule's own switch takes its rows away: once they have been tried.
      else if (
        one === "INPUT checkbox" &&
        !(await page.evaluate(() => document.activeElement.dataset.rule))
      )
        await page.keyboard.press("Space");
    });
    assert(reached > 6, `${where}: the tab key reaches ${reached} controls of the panel`);
    const rule = page.locator("#panel [data-rule]:not(:checked)").first();
    if ((await rule.count()) > 0) await rule.press("Space");
    await page.locator("#panel button.main").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.player.source.live && window.player.drawn > 0);
    await page.locator("#view").focus();
    await page.keyboard.press("p");
  }

  // Goes through all that the tab key reaches within an element, once; how much that is.
  async function tabbed(page, within, act) {
    await page.evaluate((selector) => {
      const all = [
        ...document.querySelectorAll(
          `${selector} :is(button, input, select, summary, a, canvas[tabindex])`,
        ),
      ];
      window.tabs = all.filter(
        (one) =>
          one.tabIndex >= 0 &&
          !one.disabled &&
          one.checkVisibility() &&
          (selector !== "body" || !one.closest("#panel")),
      );
    }, within);
    const count = await page.evaluate(() => window.tabs.length);
    let reached = 0;
    for (let k = 0; k < count; k++) {
      const kind = await page.evaluate((k) => {
        const one = window.tabs[k];
        if (!one.isConnected || !one.checkVisibility() || one.disabled) return null;
        one.focus();
        return document.activeElement === one
          ? `${one.tagName}${one.tagName === "INPUT" ? ` ${one.type}` : ""}`
          : null;
      }, k);
      if (kind === null) continue;
      reached++;
      await act(kind);
    }
    return reached;
  }
};
