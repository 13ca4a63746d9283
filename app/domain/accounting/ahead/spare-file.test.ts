import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "~/observe/log.server";
import { newCallId } from "~/values/call-id";
import { SpareFile, type SpareHold } from "./spare-file";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gw-spare-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const aSpare = (isRated = false): SpareHold => ({ callId: newCallId(), isRated });

/** Returns the spare holds that another process would release. */
async function leftIn(place: string): Promise<SpareHold[]> {
  const left: SpareHold[] = [];
  await new SpareFile(place, "next").takeOver(-1_000, async (spares) => void left.push(...spares));
  return left;
}

test("what was written down and not crossed out is handed over once, and the file goes", async () => {
  const file = new SpareFile(folder, "one");
  const spares = [aSpare(true), aSpare(), aSpare()];
  const slots = spares.map((spare) => file.add(spare)!);
  expect(file.write()).toBe(true);
  file.cross(slots[1]!);
  expect(file.write()).toBe(true);
  expect(await leftIn(folder)).toEqual([spares[0], spares[2]]);
  expect(await readdir(folder)).toEqual([]);
  expect(await leftIn(folder)).toEqual([]);
});

test("places are used again, and there are only so many", () => {
  const file = new SpareFile(folder, "one");
  const slots = new Set<number>();
  for (let slot = file.add(aSpare()); slot !== null; slot = file.add(aSpare())) slots.add(slot);
  expect(slots.size).toBe(1024);
  const [some] = slots;
  file.cross(some!);
  file.cross(some!);
  expect(file.add(aSpare())).toBe(some);
  expect(file.add(aSpare())).toBeNull();
});

test("nothing is handed over that another start of the machine has written, or somebody still writes", async () => {
  const file = new SpareFile(folder, "one");
  const spare = aSpare();
  file.add(spare);
  file.write();
  const path = join(folder, (await readdir(folder))[0]!);
  const handed: SpareHold[] = [];
  await new SpareFile(folder, "next").takeOver(60_000, async (spares) => void handed.push(...spares));
  expect(handed).toEqual([]);
  expect((await stat(path)).isFile()).toBe(true);
  const text = await readFile(path, "latin1");
  for (const boot of ["00000000-0000-4000-8000-000000000000 ", " ".repeat(37)]) {
    await writeFile(path, boot + text.slice(37), "latin1");
    expect(await leftIn(folder)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  }
  await writeFile(path, `${text.slice(0, 38)}${text.slice(38, 60)}\n`, "latin1");
  expect(await leftIn(folder)).toEqual([]);
});

test("what cannot be given back stays", async () => {
  const error = vi.spyOn(log, "error").mockReturnValue(undefined);
  const file = new SpareFile(folder, "one");
  file.add(aSpare());
  file.write();
  await new SpareFile(folder, "next").takeOver(-1_000, () => Promise.reject(new Error("no database")));
  expect(error).toHaveBeenCalledOnce();
  expect(await leftIn(folder)).toHaveLength(1);
});

test("a file that cannot be written goes, and all is in the next one", async () => {
  vi.spyOn(log, "error").mockReturnValue(undefined);
  const file = new SpareFile(join(folder, "journal"), "one");
  const [first, second] = [aSpare(), aSpare()];
  file.add(first);
  expect(file.write()).toBe(true);
  expect(file.remove()).toBe(true);
  expect(await readdir(join(folder, "journal"))).toEqual([]);
  file.add(second);
  expect(file.write()).toBe(true);
  expect(await leftIn(join(folder, "journal"))).toEqual(expect.arrayContaining([first, second]));
  await rm(join(folder, "journal"), { recursive: true });
  await writeFile(join(folder, "journal"), "in the way");
  const blocked = new SpareFile(join(folder, "journal"), "two");
  blocked.add(aSpare());
  expect(blocked.isUsable).toBe(true);
  // No file names a spare hold, so calls that have taken one may continue. New spare holds are paused for a while.
  expect(blocked.write()).toBe(true);
  expect(blocked.isUsable).toBe(false);
});

test("a file of a process that lives stays its own", async () => {
  const file = new SpareFile(folder, "one");
  file.add(aSpare());
  file.write();
  const [name] = await readdir(folder);
  await utimes(join(folder, name!), 0, 0);
  await file.takeOver(-1_000, () => Promise.reject(new Error("its own")));
  expect(await readdir(folder)).toEqual([name]);
});

test("a file that cannot be removed is not taken for gone, however often it is tried", async () => {
  const error = vi.spyOn(log, "error").mockReturnValue(undefined);
  const file = new SpareFile(folder, "one");
  file.add(aSpare());
  file.write();
  const path = join(folder, (await readdir(folder))[0]!);
  await rm(path);
  await mkdir(path);
  expect(file.remove()).toBe(false);
  expect(file.remove()).toBe(false);
  expect(error).toHaveBeenCalledTimes(2);
  await rm(path, { recursive: true });
  expect(file.remove()).toBe(true);
});

test("a file of the version before is read", async () => {
  const boot = (await readFile("/proc/sys/kernel/random/boot_id", "latin1")).trim();
  const records = [
    "01890a5d-ac96-774b-bcce-b302099a8057r",
    " ".repeat(37),
    "01890a5d-ac96-774b-bcce-b302099a8058n",
    " ".repeat(37),
  ];
  await writeFile(join(folder, "host-1-abcdef.spare"), `${boot} \n${records.join("\n")}\n`, "latin1");
  expect(await leftIn(folder)).toEqual([
    { callId: "01890a5d-ac96-774b-bcce-b302099a8057", isRated: true },
    { callId: "01890a5d-ac96-774b-bcce-b302099a8058", isRated: false },
  ]);
});
