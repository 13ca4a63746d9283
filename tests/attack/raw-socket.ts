import { connect, type Socket } from "node:net";

export type Told = { answers: number; status: number; text: string; closed: boolean; afterMs: number };

/** Sends raw bytes and collects the answer until the server closes the connection or `patienceMs` has passed. */
export function tell(url: string, bytes: string | Buffer, patienceMs = 5_000): Promise<Told> {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    let text = "";
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const answers = text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
      resolve({ answers, status: Number(text.slice(9, 12)), text, closed, afterMs: performance.now() - startedMs });
    };
    const timer = setTimeout(() => done(false), patienceMs);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("error", () => done(true));
    socket.on("close", () => done(true));
  });
}

/** Sends `first`, and then the result of `next` every `everyMs`. Resolves when the server closes the connection. */
export function dripping(
  url: string,
  { first, next, everyMs }: { first: string; next: string; everyMs: number },
): { socket: Socket; ended: Promise<number> } {
  const { hostname, port } = new URL(url);
  const startedMs = performance.now();
  const socket = connect(Number(port), hostname);
  const timer = setInterval(() => socket.writable && next !== "" && socket.write(next), everyMs);
  socket.on("connect", () => first !== "" && socket.write(first));
  socket.on("error", () => undefined);
  socket.resume();
  const ended = new Promise<number>((resolve) =>
    socket.on("close", () => {
      clearInterval(timer);
      resolve(performance.now() - startedMs);
    }),
  );
  return { socket, ended };
}
