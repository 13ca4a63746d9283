import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setLogLevel } from "~/observe/log.server";
import { aHold, aSettlement, someParties } from "../../../../tests/support/accounting";
import { finishedText } from "../call-text";
import { SpareFile } from "./spare-file";
import { WriteAheadLog } from "./write-ahead-log";

/** Returns the number of bytes that the disk accepts of a write. */
const disk = vi.hoisted(() => ({ takes: (bytes: number) => bytes }));
vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>();
  return {
    ...files,
    writeSync: (file: number, from: Buffer, at: number, bytes: number, to: number) =>
      files.writeSync(file, from, at, disk.takes(bytes), to),
  };
});

let folder: string;
beforeEach(() => {
  setLogLevel("silent");
  folder = mkdtempSync(join(tmpdir(), "gw-ahead-"));
});
afterEach(() => {
  disk.takes = (bytes) => bytes;
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const text = () => finishedText(aSettlement(aHold(someParties(1), 100n), 5n));
const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each([0, 1, 40])("a write of which the disk has taken %i bytes is no answer: its clients wait", async (taken) => {
  const ahead = new WriteAheadLog(folder, "me");
  disk.takes = (bytes) => Math.min(bytes, taken);
  const written = vi.fn();
  expect([ahead.note(text(), written), ahead.note(text(), written)]).not.toContain(null);
  await turn();
  expect(written).not.toHaveBeenCalled();
});

test("a file of spare holds of which the disk has taken a part names nothing any more", () => {
  const spares = new SpareFile(folder, "me");
  spares.add({ callId: aHold(someParties(1), 1n).callId, isRated: true });
  disk.takes = (bytes) => bytes - 1;
  expect(spares.write()).toBe(true);
  expect(existsSync(join(folder, "me.spare"))).toBe(false);
  expect(spares.isUsable).toBe(false);
});

test("through a long outage clients wait, and soon after its end they are answered ahead again", async () => {
  const ahead = new WriteAheadLog(folder, "me");
  const written = vi.fn();
  const began = performance.now();
  const clock = vi.spyOn(performance, "now");
  disk.takes = () => 0;
  for (let second = 0; second < 60; second += 1) {
    clock.mockReturnValue(began + second * 1_100);
    ahead.note(text(), written);
    await turn();
    // Between two attempts there is no write to the disk.
    expect(ahead.note(text(), written)).toBeNull();
  }
  expect(written).not.toHaveBeenCalled();
  disk.takes = (bytes) => bytes;
  clock.mockReturnValue(began + 61 * 1_100);
  expect(ahead.note(text(), written)).not.toBeNull();
  await turn();
  expect(written).toHaveBeenCalledOnce();
});
