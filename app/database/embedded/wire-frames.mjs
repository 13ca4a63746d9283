const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;
const PROTOCOL_3 = 196608;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

const PARSE = 0x50;
const BIND = 0x42;
const DESCRIBE = 0x44;
const CLOSE = 0x43;
const STATEMENT = 0x53;

/**
 * Splits received bytes into protocol messages. `connection.started` becomes true with the start-up message.
 * `rest`: the beginning of an incomplete message; `broken`: the client does not speak PostgreSQL's protocol.
 */
export function readFrames(connection, data) {
  let rest = connection.pending.length === 0 ? data : Buffer.concat([connection.pending, data]);
  const frames = [];
  while (rest.length >= (connection.started ? 5 : 8)) {
    const length = connection.started ? rest.readInt32BE(1) + 1 : rest.readInt32BE(0);
    if (length < 5 || length > MAX_MESSAGE_BYTES) return { frames, rest, broken: true };
    if (rest.length < length) break;
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    if (connection.started) {
      frames.push({ kind: "message", type: bytes[0], bytes });
      continue;
    }
    const kind = startKind(bytes.readInt32BE(4));
    if (kind === null) return { frames, rest, broken: true };
    if (kind === "startup") connection.started = true;
    frames.push({ kind, type: 0, bytes });
  }
  return { frames, rest, broken: false };
}

function startKind(code) {
  if (code === SSL_REQUEST || code === GSS_REQUEST) return "ssl";
  if (code === CANCEL_REQUEST) return "cancel";
  return code === PROTOCOL_3 ? "startup" : null;
}

/**
 * Adds the connection's prefix to the names of its statements, because all connections share one session. `opened` and
 * `closed`: the prefixed name when the message prepares or closes a statement. Unnamed statements stay unnamed.
 */
export function statementNames(frame, prefix) {
  const at = nameOffset(frame);
  if (at === -1 || frame.bytes[at] === 0) return { bytes: frame.bytes, opened: null, closed: null };
  const bytes = Buffer.concat([frame.bytes.subarray(0, at), Buffer.from(prefix), frame.bytes.subarray(at)]);
  bytes.writeInt32BE(bytes.length - 1, 1);
  const name = bytes.toString("utf8", at, bytes.indexOf(0, at));
  return { bytes, opened: frame.type === PARSE ? name : null, closed: frame.type === CLOSE ? name : null };
}

/** Returns the application name in a start-up message, or undefined. */
export function applicationName(startup) {
  const words = startup.toString("utf8", 8).split("\0");
  const at = words.findIndex((word, index) => index % 2 === 0 && word === "application_name");
  return at === -1 ? undefined : words[at + 1];
}

function nameOffset({ type, bytes }) {
  if (type === PARSE) return 5;
  if (type === BIND) return bytes.indexOf(0, 5) + 1;
  if ((type === DESCRIBE || type === CLOSE) && bytes[5] === STATEMENT) return 6;
  return -1;
}
