import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress, PrivateAddress, publicLookup } from "~/public-address";

/** As much of undici's HTTP/1 parser as is looked at here. */
type Parser = { paused: boolean; resume(): void; ptr: number; llhttp: { llhttp_resume(ptr: number): void } };

/**
 * Connects to suppliers, so that a supplier may hang up at any time. undici 7 ends the whole process when a connection
 * that closes behind its answer does so while its reader is paused (nodejs/undici#5360; versions without that fault need
 * a newer Node): such a reader is made to go on first.
 */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  return outlasting(buildConnector(options));
}

/** The same for connections that another connector makes. */
export function outlasting(connect: buildConnector.connector): buildConnector.connector {
  return (to, done) =>
    connect(to, (...result: Parameters<buildConnector.Callback>) => {
      // Before undici listens itself: these run first.
      if (result[0] === null) outliveHangingUp(result[1]);
      done(...result);
    });
}

/** The same, to addresses of the public internet only; to others with PrivateAddress, whatever a name stands for by then. */
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
    // Everything that came has been read by now: nothing but the end of the answer can follow.
    parser.resume();
    if (!parser.paused) return;
    // An answer without a length pauses once more, until it is told of its end.
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
