// The playground: a flock that flies beside the text of its scene. What is typed flies as soon as
// it is accepted; what is not is said at its line. A link holds the scene after its #, deflated.
//
// A page that embeds it talks to it by messages, { to: "wingbeat", id, do, … }:
//
//   { do: "load", toml }          another scene
//   { do: "set", key, value }     a key, its value as TOML
//   { do: "step", count }         stands still, and makes so many steps
//   { do: "play" }, { do: "pause" }, { do: "reset" }
//   { do: "state" }
//
// and is answered with { from: "wingbeat", id, error, toml, step, boids, hash }: `error` is
// null, or why not. When it can hear, it tells so: { from: "wingbeat", ready: true }.
Wingbeat.playground = async (page) => {
  // After the last key; milliseconds.
  const PAUSE = 450;
  // More boids than this would keep a page busy for minutes before it could say so.
  const MOST_BOIDS = 200000;
  // Characters of a scene out of a link.
  const MOST_TEXT = 4e6;
  const MOST_STEPS = 1e6;
  const given = JSON.parse(page.getElementById("scene").textContent);
  const presets = JSON.parse(
    new TextDecoder().decode(await Wingbeat.inflated(page.getElementById("presets").textContent)),
  );
  const { make } = Wingbeat;

  // --- scenes in links

  const toLink = async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  };
  const fromLink = async (letters) => {
    const bytes = Uint8Array.from(
      atob(letters.replaceAll("-", "+").replaceAll("_", "/")),
      (letter) => letter.charCodeAt(0),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const [reader, decoder] = [stream.getReader(), new TextDecoder()];
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MOST_TEXT) throw new Error("more than a scene");
    }
  };
  const linkedScene = () => new URLSearchParams(location.hash.slice(1)).get("scene");

  // --- what stands beside the flock

  const menu = make("select", { id: "preset", "aria-label": "Scene" });
  menu.add(new Option("your scene", ""));
  for (const group of new Set(presets.map((preset) => preset.group))) {
    const named = presets.filter((preset) => preset.group === group);
    menu.append(
      make("optgroup", { label: group }, ...named.map(({ name }) => new Option(name, name))),
    );
  }
  const numbers = make("pre", { className: "numbers", "aria-hidden": "true" });
  const text = make("textarea", {
    id: "toml", spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "off",
    "aria-label": "The scene, as TOML", "aria-describedby": "said",
  });
  const said = make("p", { id: "said", className: "said", role: "status" });
  const button = (id, words, title) => make("button", { type: "button", id, title }, words);
  const share = button("share", "Share", "Copy a link that holds this scene");
  const saveScene = button("save-toml", "Save TOML", "The text as a file");
  const savePage = button("save-page", "Save page", "This page, with this scene in it");
  const editor = make(
    "aside", { className: "card editor", id: "editor", "aria-label": "The scene's text" },
    make("header", {}, menu, share, saveScene, savePage),
    make("div", { className: "text" }, numbers, text),
    said,
  );
  const toggle = make(
    "button",
    {
      type: "button", id: "text", title: "The scene's text (E)", "aria-label": "The scene's text",
      "aria-controls": "editor", "aria-expanded": "true",
    },
  );
  toggle.innerHTML =
    '<svg viewBox="0 0 24 24" aria-hidden="true">' +
    '<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16"/></svg>';
  page.getElementById("extra").append(editor);
  page.querySelector(".tools").prepend(toggle);
  const open = (wide) => {
    editor.hidden = !wide;
    if (wide) Wingbeat.sheets.opened("editor");
    toggle.setAttribute("aria-expanded", String(wide));
    page.body.classList.toggle("editing", wide);
    window.player?.resized();
  };
  toggle.addEventListener("click", () => open(editor.hidden));
  open(!window.matchMedia("(max-width: 1000px)").matches);
  Wingbeat.sheets.set("editor", () => !editor.hidden && open(false));
  page.querySelector("#keys dl.with-keys").append(
    make("dt", {}, make("kbd", {}, "E")), make("dd", {}, "show or hide the scene's text"),
  );
  // Keys that are typed must not reach the player.
  editor.addEventListener("keydown", (event) => event.stopPropagation());
  page.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "e" && !event.ctrlKey && !event.metaKey && !event.altKey &&
        !event.target.matches("input, textarea, select"))
      open(editor.hidden);
  });

  let wrong = null;
  const number = () => {
    const lines = text.value.split("\n").length;
    numbers.replaceChildren(
      ...Array.from({ length: lines }, (_, k) =>
        make("span", { className: k + 1 === wrong ? "wrong" : "" }, `${k + 1}\n`),
      ),
    );
    numbers.scrollTop = text.scrollTop;
  };
  text.addEventListener("scroll", () => (numbers.scrollTop = text.scrollTop));
  const say = (words, isError = false) => {
    said.textContent = words;
    said.classList.toggle("error", isError);
    const line = isError && words.match(/^[^:]*:(\d+):/);
    wrong = line ? Number(line[1]) : null;
    number();
  };

  // --- the flock

  // `flying` is the text of the flock that flies, `letters` the same for a link.
  let [flying, wanted, isLoading, letters] = [given.toml, null, false, await toLink(given.toml)];
  let name = given.name.replace(/\.toml$/, "");
  Wingbeat.sharedScene = () => letters;
  const address = () => `${location.href.split("#")[0]}#scene=${letters}`;
  let naming = null;
  const flies = async (toml) => {
    [flying, letters] = [toml, await toLink(toml)];
    // When the page is loaded again it has what was seen last. Browsers count these calls.
    clearTimeout(naming);
    naming = setTimeout(() => history.replaceState(null, "", address()), PAUSE);
  };
  // Loads what was asked for last; answers null when that flies, or why it does not.
  // `as` becomes its name then.
  const load = (toml, as = name) => {
    wanted?.resolve("another scene was asked for meanwhile");
    const done = new Promise((resolve) => (wanted = { toml, as, resolve }));
    work();
    return done;
  };
  const refuseMany = (toml, name) => {
    const lines = toml.split("\n");
    const line = lines.findIndex((line) => {
      const count = line.match(/^\s*(?:flock\.)?boids\s*=\s*([\d_]+)/)?.[1].replaceAll("_", "");
      return Number(count) > MOST_BOIDS;
    });
    if (line < 0) return;
    const value = lines[line].split("=")[1].trim();
    const allowed = `allowed in a playground is at most ${MOST_BOIDS}`;
    throw new Error(`${name}:${line + 1}: flock.boids = ${value}: ${allowed}`);
  };
  const work = async () => {
    if (isLoading) return;
    isLoading = true;
    await ready;
    while (wanted) {
      const { toml, as, resolve } = wanted;
      wanted = null;
      const slow = setTimeout(() => say("Building the flock …"), 400);
      let refusal = null;
      try {
        refuseMany(toml, as);
        await engine.load({ name: as, toml, within: Wingbeat.WARM_UP });
        name = as;
        await flies(toml);
      } catch (error) {
        refusal = error.message;
      }
      clearTimeout(slow);
      if (!wanted) say(refusal ?? "", refusal !== null);
      resolve(refusal);
    }
    isLoading = false;
  };
  // Sees to it that what is typed flies; refuses where it cannot.
  const settle = async () => {
    clearTimeout(timer);
    const refusal = text.value === flying ? null : await load(text.value);
    if (refusal !== null) throw new Error("the text does not fly: what is wrong in it comes first");
  };
  const engine = Wingbeat.engine(page, { name, toml: given.toml });
  window.engine = engine;
  if (!engine) return say("This page runs a flock by itself: it needs WebAssembly.", true);

  // A slider changes its key in the text, too.
  const write = async () => {
    text.value = await connection.toml();
    menu.value = "";
    await flies(text.value);
    say("");
  };
  let connection = null;
  const connect = (listener) => {
    const engines = engine.connect(listener);
    connection = {
      ...engines,
      async ask(request) {
        const edits = request.do === "set" || request.do === "remove";
        if (edits) await settle();
        const answer = await engines.ask(request);
        if (edits) await write();
        return answer;
      },
    };
    return connection;
  };

  let timer = null;
  const edited = () => {
    clearTimeout(timer);
    [menu.value, name] = ["", "scene"];
    number();
    timer = setTimeout(() => (text.value === flying ? say("") : load(text.value)), PAUSE);
  };
  text.addEventListener("input", edited);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      clearTimeout(timer);
      load(text.value);
    }
  });
  // The text of a scene: a preset of the menu, or one of any origin.
  const show = (toml, preset = "") => {
    clearTimeout(timer);
    [menu.value, text.value, text.scrollTop] = [preset, toml, 0];
    number();
  };
  menu.addEventListener("change", () => {
    const preset = presets.find((one) => one.name === menu.value);
    if (!preset) return;
    name = preset.name;
    show(preset.toml, name);
    load(preset.toml);
  });

  // --- out of the page

  const give = (content, type, ending) => {
    const link = make("a", {
      href: URL.createObjectURL(new Blob([content], { type })), download: `${name}${ending}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  // What leaves the page is what flies: where the text does not, that is said, and nothing leaves.
  const settled = (act) => () => settle().then(act, () => {});
  share.addEventListener("click", settled(async () => {
    history.replaceState(null, "", address());
    const copied = await navigator.clipboard?.writeText(address()).then(() => true, () => false);
    say(copied ? "A link that holds this scene was copied." : "The address holds this scene.");
  }));
  saveScene.addEventListener("click", () => give(text.value, "application/toml", ".toml"));
  savePage.addEventListener("click", settled(() => {
    const own = JSON.stringify({ ...given, name, toml: flying }).replaceAll("<", "\\u003c");
    const scene = /(<script type="application\/json" id="scene">)[^<]*/;
    give(Wingbeat.written.replace(scene, (_, head) => head + own), "text/html", ".html");
  }));

  const acts = {
    async load({ toml }) {
      if (typeof toml !== "string") throw new Error("toml is missing: allowed is a text");
      const refusal = await load(toml, "scene");
      if (refusal === null) return show(toml);
      // The page that asked is told; here all stays as it was.
      say("");
      throw new Error(refusal);
    },
    set: ({ key, value }) => connection.ask({ do: "set", key, value: String(value) }),
    async step({ count = 1 }) {
      if (!Number.isInteger(count) || count < 1 || count > MOST_STEPS)
        throw new Error(`count = ${count}: allowed is a whole number, 1 to ${MOST_STEPS}`);
      for (let k = 0; k < count; k++) await connection.ask({ do: "step" });
    },
    play: () => connection.ask({ do: "play" }),
    pause: () => connection.ask({ do: "pause" }),
    reset: () => connection.ask({ do: "reset" }),
    state() {},
  };
  window.addEventListener("message", async ({ data, source, origin }) => {
    if (data?.to !== "wingbeat" || !source) return;
    let error = null;
    await ready;
    try {
      if (!Object.hasOwn(acts, data.do))
        throw new Error(`do = ${data.do}: allowed is ${Object.keys(acts).join(", ")}`);
      await acts[data.do](data);
    } catch (refusal) {
      error = refusal.message;
    }
    const state = await engine.where().catch((refusal) => (error ??= refusal.message, {}));
    const answer = { from: "wingbeat", id: data.id, error, toml: flying, ...state };
    source.postMessage(answer, origin === "null" ? "*" : origin);
  });

  // --- begin

  Wingbeat.flight(connect, { world: engine.world });
  menu.value = presets.some((preset) => preset.name === name) ? name : "";
  text.value = given.toml;
  number();
  const ready = engine
    .takeOff({ within: Wingbeat.WARM_UP, most: given.warm_up })
    .catch((error) => say(error.message, true));
  const takeLinked = async () => {
    const scene = linkedScene();
    if (!scene || scene === letters) return;
    const read = await fromLink(scene).catch(() => null);
    if (read === null) say("The link holds no scene.", true);
    else {
      name = "scene";
      show(read);
      await load(read);
    }
  };
  window.addEventListener("hashchange", takeLinked);
  await takeLinked();
  await ready;
  if (window.parent !== window) window.parent.postMessage({ from: "wingbeat", ready: true }, "*");
};
