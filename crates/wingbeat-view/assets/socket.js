// The connection to the engine: requests go out, each with a promise of its answer; frames and states come in. docs/VIEW.md has
// the protocol.
Wingbeat.connect = (on) => {
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

// A frame of the engine in the player's form: three coordinates for each boid, in the plane too.
Wingbeat.readFrame = (buffer) => {
  const HEAD = 48;
  const view = new DataView(buffer);
  const [dimensions, count] = [view.getUint32(4, true), view.getUint32(8, true)];
  const wide = (offset) => {
    const packed = new Float32Array(buffer, offset, count * dimensions);
    if (dimensions === 3) return packed;
    const column = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      column[3 * i] = packed[2 * i];
      column[3 * i + 1] = packed[2 * i + 1];
    }
    return column;
  };
  return {
    run: view.getUint32(12, true),
    step: view.getFloat64(16, true),
    time: view.getFloat64(24, true),
    rate: view.getFloat32(32, true),
    observed: [36, 40, 44].map((offset) => view.getFloat32(offset, true)),
    ids: new Uint32Array(buffer, HEAD, count),
    position: wide(HEAD + 4 * count),
    velocity: wide(HEAD + 4 * count + 4 * count * dimensions),
  };
};
