// Opens a scene in Taplo, the language server of editors' TOML support, with `wingbeat schema` as
// its schema: keys and words are completed, slips are marked where they stand.
//
//     node check.mjs WINGBEAT [FOLDER]      FOLDER: where to work, with @taplo/lsp installed beside

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import taplo from "@taplo/lsp";

const [wingbeat, folder = "."] = process.argv.slice(2);
const at = (name) => resolve(folder, name);
writeFileSync(at("scene.schema.json"), execFileSync(wingbeat, ["schema"]));

const SCENE = `#:schema ./scene.schema.json
[flock]
boids = 100
dt = "slow"

[separation]
rad
falloff = ""

[obstacle.pond]
kind = "sphere"
raduis = 2.0
`;
const uri = pathToFileURL(at("scene.toml")).href;

const waiting = new Map();
let marked = () => {};
const marks = new Promise((resolve) => (marked = resolve));
const environment = {
  now: () => new Date(),
  envVar: (name) => process.env[name],
  envVars: () => Object.entries(process.env),
  stdErrAtty: () => false,
  stdin: process.stdin,
  stdout: process.stdout,
  // What the server says of itself.
  stderr: async (bytes) => bytes.length,
  glob: () => [],
  readFile: async (path) => readFileSync(path),
  writeFile: async () => {},
  // A document outside of any workspace has a root that is no file.
  urlToFilePath: (url) => (url.startsWith("file:") ? fileURLToPath(url) : "/"),
  isAbsolute,
  cwd: () => resolve(folder),
  findConfigFile: (from) =>
    [".taplo.toml", "taplo.toml"].map((name) => join(from, name)).find(existsSync),
  fetch: { fetch, Headers, Request, Response },
};
const server = await taplo.TaploLsp.initialize(environment, {
  onMessage(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      if (message.params.diagnostics.length > 1) marked(message.params.diagnostics);
    } else if (message.method === "workspace/configuration") {
      const settings = { schema: { enabled: true } };
      server.send({ jsonrpc: "2.0", id: message.id, result: [settings] });
    } else if (waiting.has(message.id)) {
      waiting.get(message.id)(message.result ?? message.error);
    }
  },
});

let id = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++id, resolve);
    server.send({ jsonrpc: "2.0", id, method, params });
  });
const tell = (method, params) => server.send({ jsonrpc: "2.0", method, params });

await ask("initialize", {
  processId: null,
  rootUri: pathToFileURL(resolve(folder)).href,
  workspaceFolders: [{ uri: pathToFileURL(resolve(folder)).href, name: "scenes" }],
  capabilities: { workspace: { configuration: true } },
  initializationOptions: { configurationSection: "evenBetterToml", cachePath: resolve(folder) },
});
tell("initialized", {});
const open = (text) =>
  tell("textDocument/didOpen", {
    textDocument: { uri, languageId: "toml", version: 1, text },
  });
open(SCENE);

const labels = async (line, character) => {
  const found = await ask("textDocument/completion", {
    textDocument: { uri },
    position: { line, character },
  });
  return (found?.items ?? found ?? []).map((item) => item.label);
};
const failures = [];
const expect = (what, list, wanted) => {
  const missing = wanted.filter((word) => !list.some((label) => label.includes(word)));
  console.log(`${what}: ${list.slice(0, 12).join(" ")}${list.length > 12 ? " …" : ""}`);
  if (missing.length > 0) failures.push(`${what}: ${missing.join(", ")} not offered`);
};
// The schema is read in the background.
for (let tries = 0; tries < 50 && (await labels(6, 3)).length === 0; tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
expect("keys of [separation]", await labels(6, 3), ["radius", "weight", "field_of_view"]);
expect("words of falloff", await labels(7, 11), ["linear", "inverse", "inverse_square"]);

// Marks come of a document that is TOML.
tell("textDocument/didChange", {
  textDocument: { uri, version: 2 },
  contentChanges: [{ text: SCENE.replace("\nrad\n", "\nradius = 1\n") }],
});
const late = new Promise((resolve) => setTimeout(() => resolve([]), 10000));
const told = await Promise.race([marks, late]);
for (const { range, message } of told) console.log(`line ${range.start.line + 1}: ${message}`);
const lines = told.map(({ range }) => range.start.line + 1);
if (!lines.includes(4)) failures.push("dt = \"slow\" is not marked on its line");
if (!lines.some((line) => line >= 10)) failures.push("raduis in an obstacle is not marked");
if (failures.length > 0) {
  console.error(failures.join("\n"));
  process.exit(1);
}
process.exit(0);
