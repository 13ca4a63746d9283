import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress, PrivateAddress, publicLookup } from "~/network/public-address";

/** The part of undici's HTTP/1 parser that is used here. */
type Parser = { paused: boolean; resume(): void; ptr: number; llhttp: { llhttp_resume(ptr: number): void } };

/**
 * Creates a connector to suppliers that survives a disconnect at any time. If a supplier closes a connection after its
 * answer while the reader is paused, undici 7 crashes the whole process (nodejs/undici#5360; fixed versions need a
 * newer Node). Therefore the reader is resumed first.
 */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  return outlasting(buildConnector(options));
}

/** Adds the same protection to another connector. */
export function outlasting(connect: buildConnector.connector): buildConnector.connector {
  return (to, done) =>
    connect(to, (...result: Parameters<buildConnector.Callback>) => {
      // Registered before undici's own listeners, so these run first.
      if (result[0] === null) outliveHangingUp(result[1]);
      done(...result);
    });
}

/**
 * Creates a connector to public addresses only. Fails with PrivateAddress for any other, checked after name resolution.
 */
export function publicConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = connector({ ...options, lookup: publicLookup } as buildConnector.BuildOptions);
  return (to, done) => {
    const host = to.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !isPublicAddress(host)) return done(new PrivateAddress(), null);
    connect(to, done);
  };
}

function outliveHangingUp(socket: Socket): void {
  socket.on("end", () => {
    const parser = parserOf(socket);
    if (!parser?.paused) return;
    // All received data has been read: only the end of the answer can follow.
    parser.resume();
    if (!parser.paused) return;
    // An answer without a length pauses once more, until its end is signalled.
    parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  });
  const giveUp = () => {
    const parser = parserOf(socket);
    if (parser !== null) parser.paused = false;
  };
  socket.on("error", giveUp);
  socket.on("close", giveUp);
}

function parserOf(socket: Socket): Parser | null {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser");
  return key === undefined ? null : ((socket as unknown as Record<symbol, Parser | null>)[key] ?? null);
}
