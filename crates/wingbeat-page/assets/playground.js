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
// null, or why not.
Wingbeat.playground = async (page) => {
  // After the last key; milliseconds.
  const PAUSE = 450;
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
    return new Response(stream).text();
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
    toggle.setAttribute("aria-expanded", String(wide));
    page.body.classList.toggle("editing", wide);
    window.player?.resized();
  };
  toggle.addEventListener("click", () => open(editor.hidden));
  open(!window.matchMedia("(max-width: 760px)").matches);
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

  let [flying, wanted, isLoading, letters, name] = [null, null, false, null, given.name];
  Wingbeat.sharedScene = () => letters;
  // Loads what was asked for last; answers when that flies, or is refused.
  const load = (toml) => {
    if (wanted) wanted.resolve(null);
    const done = new Promise((resolve) => (wanted = { toml, resolve }));
    work();
    return done;
  };
  const work = async () => {
    if (isLoading) return;
    isLoading = true;
    while (wanted) {
      const { toml, resolve } = wanted;
      wanted = null;
      try {
        await engine.load({ name, toml, within: Wingbeat.WARM_UP, most: given.warm_up });
        flying = toml;
        letters = await toLink(toml);
        say("");
        resolve(null);
      } catch (error) {
        say(error.message, true);
        resolve(error.message);
      }
    }
    isLoading = false;
  };
  const engine = Wingbeat.engine(page, { name, toml: given.toml });
  window.engine = engine;
  if (!engine) return say("This page runs a flock by itself: it needs WebAssembly.", true);

  // A slider changes its key in the text, too.
  const write = async () => {
    text.value = await connection.toml();
    [flying, letters] = [text.value, await toLink(text.value)];
    number();
  };
  let connection = null;
  const connect = (listener) => {
    const engines = engine.connect(listener);
    connection = {
      ...engines,
      async ask(request) {
        const answer = await engines.ask(request);
        if (request.do === "set" || request.do === "remove") await write();
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
    timer = setTimeout(() => text.value !== flying && load(text.value), PAUSE);
  };
  text.addEventListener("input", edited);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      clearTimeout(timer);
      load(text.value);
    }
  });
  const take = (toml) => {
    text.value = toml;
    text.scrollTop = 0;
    number();
    return load(toml);
  };
  menu.addEventListener("change", () => {
    const preset = presets.find((one) => one.name === menu.value);
    if (!preset) return;
    name = preset.name;
    take(preset.toml);
  });

  // --- out of the page

  const give = (content, type, ending) => {
    const link = make("a", {
      href: URL.createObjectURL(new Blob([content], { type })), download: `${name}${ending}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const address = () => `${location.href.split("#")[0]}#scene=${letters}`;
  share.addEventListener("click", async () => {
    history.replaceState(null, "", address());
    const copied = await navigator.clipboard?.writeText(address()).then(() => true, () => false);
    say(copied ? "A link that holds this scene was copied." : "The address holds this scene.");
  });
  saveScene.addEventListener("click", () => give(text.value, "application/toml", ".toml"));
  savePage.addEventListener("click", () => {
    const own = JSON.stringify({ ...given, name, toml: text.value }).replaceAll("<", "\\u003c");
    const scene = /(<script type="application\/json" id="scene">)[^<]*/;
    give(Wingbeat.written.replace(scene, (_, head) => head + own), "text/html", ".html");
  });

  const acts = {
    async load({ toml }) {
      if (typeof toml !== "string") throw new Error("toml is missing: allowed is a text");
      [menu.value, name] = ["", "scene"];
      const refusal = await take(toml);
      if (refusal) throw new Error(refusal);
    },
    set: ({ key, value }) => connection.ask({ do: "set", key, value: String(value) }),
    async step({ count = 1 }) {
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
    try {
      if (!Object.hasOwn(acts, data.do))
        throw new Error(`do = ${data.do}: allowed is ${Object.keys(acts).join(", ")}`);
      await acts[data.do](data);
    } catch (refusal) {
      error = refusal.message;
    }
    const state = await engine.where();
    const answer = { from: "wingbeat", id: data.id, error, toml: text.value, ...state };
    source.postMessage(answer, origin === "null" ? "*" : origin);
  });

  // --- begin

  Wingbeat.flight(connect, { world: engine.world });
  let toml = given.toml;
  const shared = linkedScene();
  if (shared) toml = await fromLink(shared).catch(() => null);
  text.value = toml ?? given.toml;
  menu.value = !shared && presets.some((one) => one.name === name) ? name : "";
  number();
  await engine.takeOff({ within: Wingbeat.WARM_UP, most: given.warm_up });
  if (toml === null) say("The link holds no scene.", true);
  else if (shared) await load(toml);
  flying = text.value;
  letters = await toLink(text.value);
  window.addEventListener("hashchange", async () => {
    const scene = linkedScene();
    if (!scene || scene === letters) return;
    const read = await fromLink(scene).catch(() => null);
    if (read === null) say("The link holds no scene.", true);
    else take(read);
  });
};
