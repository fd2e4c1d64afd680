// The connection to an engine behind a server: requests go out, each with a promise of its answer;
// frames and states come in. README.md has the protocol. `Wingbeat.connectEngine` gives the same
// of the page's own engine.
Wingbeat.connectServer = (on) => {
  const address = `ws://${location.host}/live`;
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  const waiting = new Map();
  let last = 0;

  const connection = {
    open: false,
    // A promise of the answer; where the request is refused it fails with the engine's reason.
    ask(request) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        if (!connection.open) return reject(new Error("the view has ended"));
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ ...request, id }));
      });
    },
    // The scene with all changes.
    toml: async () => (await fetch("scene.toml")).text(),
    // The last frame has been drawn: asks for another.
    next() {
      if (connection.open) socket.send('{"do":"next"}');
    },
  };

  socket.onopen = () => (connection.open = true);
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return on.frame(Wingbeat.readFrame(data));
    const message = JSON.parse(data);
    if (message.type === "state") return on.state(message);
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.error !== null) reject?.(new Error(message.error));
    else resolve?.(message);
  };
  socket.onclose = () => {
    connection.open = false;
    waiting.forEach(({ reject }) => reject(new Error("the view has ended")));
    waiting.clear();
    on.end();
    // When a view is started again at this address, the page is loaded again.
    const retry = setInterval(() => {
      const probe = new WebSocket(address);
      probe.onopen = () => {
        clearInterval(retry);
        location.reload();
      };
    }, 3000);
  };
  return connection;
};
