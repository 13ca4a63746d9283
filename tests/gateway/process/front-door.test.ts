import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

const TIMEOUT_MS = 1_500;
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ env: { GW_REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } });
}, 120_000);
afterAll(() => portal?.close());

type Conversation = {
  socket: Socket;
  text: () => string;
  closed: Promise<void>;
  send(bytes: string | Buffer): Promise<boolean>;
};

/** Opens a connection for raw bytes. */
function open(): Promise<Conversation> {
  const { hostname, port } = new URL(portal.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => resolve({ socket, text: () => text, closed, send }));
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", () => undefined);
    socket.once("error", reject);
    // Resolves with false if the server accepts no more bytes.
    const send = (bytes: string | Buffer) =>
      new Promise<boolean>((done) => {
        if (!socket.writable) return done(false);
        const onClose = () => done(false);
        socket.once("close", onClose);
        socket.write(bytes, (error) => {
          socket.off("close", onClose);
          done(!error);
        });
      });
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, "Host: gw", ...headers].join("\r\n")}\r\n\r\n`;
const statusOf = (text: string) => Number(text.slice(9, 12));
const memoryMb = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${portal.gateway.process.pid}/status`, "utf8"))?.[1]) / 1024;

test.each(["/x/../v1/chat/completions", "/x/%2e%2e/v1/chat/completions", "/v1/chat/completions", "/auth/login"])(
  "of a body of 150 MB to %s no more than the limit is ever kept",
  async (path) => {
    const piece = Buffer.alloc(65_536, "x");
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
    const { send, text, closed, socket } = await open();
    const headers = ["Transfer-Encoding: chunked", "Content-Type: application/json", "Sec-Fetch-Site: same-origin"];
    const before = memoryMb();
    let maximum = before;
    await send(head(`POST ${path}`, `Authorization: Bearer ${portal.gateway.key}`, ...headers));
    let taken = true;
    for (let sent = 0; taken && sent < 150 * 2 ** 20; sent += chunk.length) {
      taken = await send(chunk);
      if (sent % (8 * chunk.length) < chunk.length) maximum = Math.max(maximum, memoryMb());
    }
    socket.end();
    await closed;
    expect(maximum - before).toBeLessThan(80);
    if (text() !== "") expect([400, 413]).toContain(statusOf(text()));
    expect((await fetch(`${portal.url}/health`)).status).toBe(200);
  },
);

test.each([
  ["GET", "/health"],
  ["HEAD", "/v1/models"],
  ["GET", "/pricing"],
  ["GET", "/api/legal/status"],
  ["POST", "/auth/login"],
  ["POST", "/v1/chat/completions"],
])(
  "%s %s with a body that drips ends in time",
  async (method, path) => {
    const { send, socket, closed } = await open();
    await send(
      head(
        `${method} ${path}`,
        "Content-Length: 1000000",
        "Sec-Fetch-Site: same-origin",
        "Content-Type: application/json",
      ),
    );
    const dripping = setInterval(() => socket.writable && socket.write("x"), 100);
    const open10s = new Promise((resolve) => setTimeout(() => resolve("still open"), TIMEOUT_MS + 8_000));
    const ended = await Promise.race([closed.then(() => "ended"), open10s]);
    clearInterval(dripping);
    socket.destroy();
    expect(ended).toBe("ended");
  },
  20_000,
);

test("a GET whose body comes in time keeps its connection", async () => {
  const { send, text, socket } = await open();
  await send(`${head("GET /health", "Content-Length: 5")}hello`);
  await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 500));
  await send(head("GET /health"));
  await expect.poll(() => text().match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  socket.destroy();
});

test.each(["not an address", "http://", "//", "https://gw:port", "\xff"])(
  "the origin %j is refused as one of another site, in our own way",
  async (origin) => {
    const before = portal.gateway.output().length;
    for (const path of ["/dashboard/settings", "/auth/login", "/set-theme"]) {
      const { send, text, closed } = await open();
      const headers = ["Accept: application/json", "Content-Length: 0", "Connection: close"];
      await send(Buffer.from(head(`POST ${path}`, `Origin: ${origin}`, ...headers), "latin1"));
      await closed;
      expect([path, statusOf(text())]).toEqual([path, 403]);
      expect(text()).toContain('"code":"csrf_rejected"');
      expect(text()).toMatch(/x-content-type-options: nosniff/i);
      expect(text()).toMatch(/content-security-policy: /i);
    }
    expect(portal.gateway.output().slice(before)).not.toMatch(/"level":"error"|\n\s+at /);
  },
);

test("asking for the headers of /logout ends nothing, and a GET does", async () => {
  const { browser } = await portal.signInAs("member");
  const isSignedIn = async () => (await browser.get("/dashboard/get-started")).status === 200;
  const asked = await browser.fetch("/logout", { method: "HEAD" });
  expect([asked.status, asked.headers.get("set-cookie")]).toEqual([303, null]);
  expect(await isSignedIn()).toBe(true);
  await browser.get("/logout");
  expect(await isSignedIn()).toBe(false);
});

test.each<[string, Record<string, string>, boolean]>([
  ["a link or an image of another site", { "sec-fetch-site": "cross-site", referer: "https://evil.test/" }, true],
  ["a page of a neighbouring host", { "sec-fetch-site": "same-site" }, true],
  [
    "another site, in a browser that names only the page",
    { "sec-fetch-site": "", referer: "https://evil.test/" },
    true,
  ],
  ["a page without an origin of its own", { "sec-fetch-site": "", origin: "null" }, true],
  ["a page of the portal", { "sec-fetch-site": "same-origin" }, false],
  ["somebody who types it in", { "sec-fetch-site": "none" }, false],
  ["a program", { "sec-fetch-site": "" }, false],
])("GET /logout from %s", async (_, headers, isElsewhere) => {
  const { browser } = await portal.signInAs("member");
  const { status, headers: answered } = await browser.fetch("/logout", { headers });
  expect([status, answered.get("location")]).toEqual([303, isElsewhere ? "/account/sign-out" : "/login"]);
  expect((await browser.get("/dashboard/get-started")).status).toBe(isElsewhere ? 200 : 303);
  if (!isElsewhere) return;
  expect(await (await browser.get("/account/sign-out")).text()).toContain('action="/logout"');
  await browser.post("/logout", {});
  expect((await browser.get("/dashboard/get-started")).status).toBe(303);
});

test("clients that leave in the middle of a portal's request are no failure of the program", async () => {
  const { browser } = await portal.signInAs("owner");
  const cookie = `Cookie: ${[...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")}`;
  const form = ["Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"];
  const before = portal.gateway.output().length;
  const leaving: [string, number][] = [
    [head("GET /dashboard/keys", cookie), 0],
    [head("GET /dashboard/keys", cookie), 20],
    [head("GET /pricing"), 5],
    [head("GET /api-docs"), 30],
    [head("GET /dashboard/admin/users/export", cookie), 5],
    [`${head("POST /auth/login", ...form, "Content-Length: 500")}email=a`, 30],
    [`${head("POST /dashboard/settings", cookie, ...form, "Content-Length: 500")}intent=prof`, 30],
    [
      `${head("POST /dashboard/settings/display-name", cookie, ...form, "Transfer-Encoding: chunked")}5\r\nname=\r\n`,
      30,
    ],
    [`${head("POST /set-language", ...form, "Content-Length: 11")}language=en`, 0],
    [`${head("POST /v1/manage/keys", "Authorization: Bearer gw_x", "Content-Length: 500")}{`, 30],
  ];
  await Promise.all(
    [...leaving, ...leaving, ...leaving].map(async ([bytes, afterMs]) => {
      const { send, socket } = await open();
      await send(bytes);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      socket.resetAndDestroy();
    }),
  );
  await expect.poll(async () => (await fetch(`${portal.url}/health?ready`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(portal.gateway.output().slice(before)).not.toMatch(/"level":"error"|\n\s+at |aborted/);
});

test("the gateway's rows answer only where their limits are", async () => {
  for (const path of ["/V1/models", "//v1/models", "/%761/models", "/HEALTH", "/v1/models.data", "/v1/_.data"]) {
    const { send, text, closed } = await open();
    await send(head(`GET ${path}`, `Authorization: Bearer ${portal.gateway.key}`, "Connection: close"));
    await closed;
    expect([path, statusOf(text()), /"object":"list"/.test(text())]).toEqual([path, 404, false]);
  }
});
