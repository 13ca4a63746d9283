import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { IDLE_MS, SessionPins } from "./session-pins";

const PIN = { routeId: 1, credential: null };

test("a session with a long name is found again, and is not another one that begins alike", () => {
  const pins = new SessionPins();
  const name = "n".repeat(300);
  pins.set(`${name}a`, PIN, 0);
  expect(pins.get(`${name}a`, 1)).toBe(PIN);
  expect(pins.get(`${name}b`, 1)).toBeUndefined();
});

test("a pin that is asked for stays, and is forgotten an hour after it was asked for last", () => {
  const pins = new SessionPins();
  pins.set("session", PIN, 0);
  expect(pins.get("session", IDLE_MS)).toBe(PIN);
  expect(pins.get("session", 2 * IDLE_MS)).toBe(PIN);
  expect(pins.get("session", 3 * IDLE_MS + 1)).toBeUndefined();
  expect(pins.size).toBe(0);
});

test("what a name was cut from does not stay in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const pins = new SessionPins();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let session = 0; session < 100; session += 1) {
    const sent = Buffer.from(`${session}${"x".repeat(500_000)}`).toString();
    const name = `1\nfast-chat\ncache_key\n${sent.slice(0, 256)}`;
    pins.set(name, PIN, 0);
    pins.get(name, 1);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(pins.size).toBe(100);
});

test("of more sessions than have room, the one unused for longest makes room", () => {
  const pins = new SessionPins(2);
  pins.set("first", PIN, 0);
  pins.set("second", PIN, 1);
  pins.get("first", 2);
  pins.set("third", PIN, 3);
  expect(pins.get("second", 4)).toBeUndefined();
  expect([pins.get("first", 4), pins.get("third", 4)]).toEqual([PIN, PIN]);
  expect(pins.size).toBe(2);
});
