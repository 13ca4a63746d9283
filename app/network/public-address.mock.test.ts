import type { LookupAddress, LookupOptions } from "node:dns";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { publicLookup } from "./public-address";

let answers: LookupAddress[] = [];
vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup: (_host: string, _options: LookupOptions, answer: (problem: null, all: LookupAddress[]) => void) =>
    answer(null, answers),
}));

const PUBLIC = { address: "8.8.8.8", family: 4 };
const PUBLIC_6 = { address: "2606:4700::1111", family: 6 };
const PRIVATE = { address: "10.0.0.1", family: 4 };
const LOOPBACK_6 = { address: "::1", family: 6 };

/** The error or the address of a lookup for a connection. */
const connectTo = (options: LookupOptions) =>
  new Promise((resolve) =>
    publicLookup("supplier.example", options as never, (error, address) => resolve(error?.name ?? address)),
  );

beforeEach(() => {
  answers = [];
});

describe.each([[{}], [{ all: true }]])("with the options %j", (options) => {
  test.each([
    ["the first", [PRIVATE, PUBLIC]],
    ["the last", [PUBLIC, PUBLIC_6, PRIVATE]],
    ["one of another family", [PUBLIC, LOOPBACK_6]],
    ["the only one", [PRIVATE]],
  ])("a name is refused when %s of its addresses is private", async (_which, all) => {
    answers = all;
    expect(await connectTo(options)).toBe("PrivateAddress");
  });

  test("a name without an address is refused", async () => {
    expect(await connectTo(options)).toBe("PrivateAddress");
  });

  test("a name whose addresses are all public is connected to", async () => {
    answers = [PUBLIC, PUBLIC_6];
    expect(await connectTo(options)).toEqual("all" in options ? answers : PUBLIC.address);
  });
});
