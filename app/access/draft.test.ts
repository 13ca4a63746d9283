import { RouterContextProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { draftCookie, draftOf, flash } from "./flash.server";

const SENT_AT = new Date("2026-03-01T12:00:00Z");
const draft = { userId: 7, page: "/dashboard/keys/new", action: "/dashboard/keys/new", sent: { name: "Typed" } };

beforeEach(() => {
  setConfig(readConfig({ BASE_URL: "http://gw.example", GW_SECRET: "0123456789abcdef0123456789abcdef" }));
  vi.useFakeTimers({ now: SENT_AT, toFake: ["Date"] });
});
afterEach(() => void vi.useRealTimers());

/** The draft that its page reads from a browser that sends the cookie after this time, even after its expiry. */
async function foundAfter(seconds: number): Promise<unknown> {
  vi.setSystemTime(SENT_AT);
  const [cookie = ""] = (draftCookie(draft) ?? "").split(";");
  vi.setSystemTime(SENT_AT.getTime() + seconds * 1_000);
  const request = new Request(`http://gw.example${draft.page}`, { headers: { cookie } });
  const context = new RouterContextProvider();
  let found: unknown;
  const next = async () => {
    found = draftOf(context, { path: draft.page, userId: draft.userId })?.sent ?? null;
    return new Response(null);
  };
  const given = { request, context, params: {} } as unknown as Parameters<typeof flash>[0];
  await flash(given, next);
  return found;
}

test("what was typed is given back for a quarter of an hour, however long a browser keeps it", async () => {
  expect(await foundAfter(0)).toEqual(draft.sent);
  expect(await foundAfter(899)).toEqual(draft.sent);
  expect(await foundAfter(901)).toBeNull();
  expect(await foundAfter(86_400)).toBeNull();
});
