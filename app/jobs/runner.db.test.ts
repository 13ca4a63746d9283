import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "~/connection/db.server";
import { setLogLevel } from "~/observe/log.server";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { JobRunner, type RunnerOptions } from "./runner";
import type { Job } from "./shared";
import { findJobs, findRuns, requestJob } from "./store";

let database: TestDatabase;
const runners: JobRunner[] = [];
/** Resolvers of the promises that a test's jobs await; all are called at the end of the test. */
const hanging: (() => void)[] = [];

beforeAll(async () => {
  // These tests let jobs fail on purpose.
  setLogLevel("silent");
  database = await openFreshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await db().job.deleteMany();
  await db().jobRun.deleteMany();
});
afterEach(async () => {
  for (const release of hanging.splice(0)) release();
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
});

function aRunner(jobs: readonly Job[], options: Partial<RunnerOptions> = {}): JobRunner {
  const instance = `process-${runners.length}`;
  const runner = new JobRunner({ db, jobs, instance, alone: false, leaseMs: 60_000, ...options });
  runners.push(runner);
  return runner;
}

const aJob = (run: Job["run"], job: Partial<Job> = {}): Job => ({
  name: "count-things",
  scope: "installation",
  everyMs: 60_000,
  run,
  ...job,
});

/** Work that ignores its abort signal and runs until the end of the test. */
function hangs() {
  const started: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    started.push(signal);
    return new Promise<number>((resolve) => void hanging.push(() => resolve(0)));
  };
  return { started, run };
}

async function turn(...those: JobRunner[]): Promise<void> {
  await Promise.all(those.map((runner) => runner.tick()));
  await Promise.all(those.map((runner) => runner.idle()));
}
const row = async (name = "count-things") => (await findJobs(db(), [name]))[0]!;
const runs = (job = "count-things") => findRuns(db(), { job, beforeId: null, limit: 50 });
const makeDue = (name = "count-things") => db().job.update({ where: { name }, data: { nextRunAt: new Date(0) } });
const endLease = (name = "count-things") => db().job.update({ where: { name }, data: { leaseUntil: new Date(0) } });

describe("a job of the installation", () => {
  test("is run by one of several runners, never by two at once", async () => {
    let atOnce = 0;
    let maximum = 0;
    let times = 0;
    const job = aJob(async () => {
      atOnce += 1;
      maximum = Math.max(maximum, atOnce);
      times += 1;
      await pause(5);
      atOnce -= 1;
      return 1;
    });
    const those = [aRunner([job]), aRunner([job]), aRunner([job]), aRunner([job])];
    await turn(...those);
    expect(times).toBe(1);
    for (let round = 2; round <= 12; round += 1) {
      await makeDue();
      await turn(...those);
      expect(times).toBe(round);
    }
    expect(maximum).toBe(1);
    expect(await row()).toMatchObject({ result: "succeeded", handled: 1, failures: 0, runningSince: null });
  });

  test("rests for its time, moved by its jitter", async () => {
    const job = aJob(async () => 0, { everyMs: 600_000, jitter: 0.2 });
    await turn(aRunner([job], { random: () => 1 }));
    const { nextRunAt, finishedAt } = await row();
    expect(nextRunAt.getTime() - finishedAt!.getTime()).toBe(720_000);
    await turn(...runners);
    expect((await row()).finishedAt).toEqual(finishedAt);
  });

  test("of a process that died is run by another one when the lease has ended, and the lost run is remembered", async () => {
    const dead = hangs();
    await aRunner([aJob(dead.run)]).tick();
    expect(await row()).toMatchObject({ runningSince: expect.any(Date) });
    let times = 0;
    const other = aRunner([aJob(async () => (times += 1))]);
    await makeDue();
    await turn(other);
    expect(times).toBe(0);
    await endLease();
    await turn(other);
    expect(times).toBe(1);
    expect(await row()).toMatchObject({ result: "succeeded", process: "process-1", failures: 0 });
    expect((await runs()).map(({ result, process }) => [result, process])).toEqual([
      ["succeeded", "process-1"],
      ["abandoned", "process-0"],
    ]);
  });

  test("whose lease was lost writes nothing about the run that another process has begun", async () => {
    const old = hangs();
    const first = aRunner([aJob(old.run)]);
    await first.tick();
    await makeDue();
    await endLease();
    const second = aRunner([aJob(hangs().run)]);
    await second.tick();
    hanging.shift()!();
    await first.idle();
    expect(await row()).toMatchObject({ runningSince: expect.any(Date), result: null });
  });

  test("keeps its lease as long as it runs", async () => {
    const runner = aRunner([aJob(hangs().run)], { leaseMs: 3_000 });
    await runner.tick();
    const until = async () => (await db().job.findFirstOrThrow()).leaseUntil!.getTime();
    const before = await until();
    await vi.waitFor(
      async () => {
        await runner.tick();
        expect(await until()).toBeGreaterThan(before);
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  test("is told to stop when the lease cannot be extended any more", async () => {
    const work = hangs();
    const runner = aRunner([aJob(work.run)], { leaseMs: 300 });
    await runner.tick();
    await db().job.update({ where: { name: "count-things" }, data: { run: 99n } });
    await vi.waitFor(
      async () => {
        await runner.tick();
        expect(work.started[0]!.aborted).toBe(true);
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  test("that fails is recorded, tried again ever more rarely, and stops no other", async () => {
    let times = 0;
    const failing = aJob(() => Promise.reject(new Error("no such thing")), { everyMs: 3_600_000, jitter: 0 });
    const other = aJob(async () => (times += 1), { name: "other" });
    const runner = aRunner([failing, other]);
    const rests: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      if (round > 1) {
        await makeDue();
        await makeDue("other");
      }
      await turn(runner);
      const { nextRunAt, finishedAt } = await row();
      rests.push(nextRunAt.getTime() - finishedAt!.getTime());
    }
    expect(rests).toEqual([10_000, 20_000, 40_000]);
    expect(times).toBe(3);
    expect(await row()).toMatchObject({ result: "failed", error: "no such thing", failures: 3, runningSince: null });
    expect((await runs()).map(({ result, error }) => [result, error])).toEqual(
      Array.from({ length: 3 }, () => ["failed", "no such thing"]),
    );
  });

  test("that throws at once counts as failed", async () => {
    await turn(
      aRunner([
        aJob(() => {
          throw new Error("at once");
        }),
      ]),
    );
    expect(await row()).toMatchObject({ result: "failed", error: "at once", failures: 1 });
  });

  test("that succeeds after failures has its time again", async () => {
    let fails = true;
    const job = aJob(async () => {
      if (fails) throw new Error("not yet");
      return 0;
    });
    const runner = aRunner([job], { random: () => 0.5 });
    await turn(runner);
    fails = false;
    await makeDue();
    await turn(runner);
    const { nextRunAt, finishedAt, failures, error } = await row();
    expect({ failures, error }).toEqual({ failures: 0, error: "" });
    expect(nextRunAt.getTime() - finishedAt!.getTime()).toBe(60_000);
  });

  test("that hangs is seen, told to stop, and not begun again by its process before it has ended", async () => {
    const work = hangs();
    const runner = aRunner([aJob(work.run, { timeoutMs: 0 })]);
    await runner.tick();
    await vi.waitFor(async () => {
      await runner.tick();
      expect((await row()).result).toBe("timed_out");
    });
    expect(work.started[0]!.aborted).toBe(true);
    expect((await runs())[0]).toMatchObject({ result: "timed_out", error: "no end within 0 s" });
    await makeDue();
    await runner.tick();
    expect(work.started).toHaveLength(1);
    // Another process takes over: a stuck process does not block the job permanently.
    let times = 0;
    await turn(aRunner([aJob(async () => (times += 1))]));
    expect(times).toBe(1);
  });

  test("remembers runs that did something or were asked for, and not those that found nothing to do", async () => {
    let found = 0;
    const runner = aRunner([aJob(async () => found)]);
    await turn(runner);
    expect(await runs()).toEqual([]);
    expect(await requestJob(db(), "count-things")).toBe(true);
    expect(await requestJob(db(), "count-things")).toBe(false);
    await turn(runner);
    found = 3;
    await makeDue();
    await turn(runner);
    expect((await runs()).map(({ requested, handled }) => ({ requested, handled }))).toEqual([
      { requested: false, handled: 3 },
      { requested: true, handled: 0 },
    ]);
  });

  test("cannot be asked for while it runs", async () => {
    await aRunner([aJob(hangs().run)]).tick();
    expect(await requestJob(db(), "count-things")).toBe(false);
  });

  test("is taken over at once where only one process can have the database", async () => {
    await aRunner([aJob(hangs().run)]).tick();
    await makeDue();
    let times = 0;
    await turn(aRunner([aJob(async () => (times += 1))], { alone: true }));
    expect(times).toBe(1);
  });

  test("that comes more often than before does not wait for its old time", async () => {
    await turn(aRunner([aJob(async () => 0, { everyMs: 86_400_000 })]));
    await turn(aRunner([aJob(async () => 0, { everyMs: 60_000 })]));
    expect((await row()).nextRunAt.getTime()).toBeLessThan(Date.now() + 70_000);
  });
});

describe("a job of the process", () => {
  const ownJob = (run: Job["run"], job: Partial<Job> = {}) => aJob(run, { scope: "process", ...job });

  test("is run by every runner and has no row", async () => {
    let times = 0;
    const those = [0, 1].map(() => aRunner([ownJob(async () => (times += 1))]));
    await turn(...those);
    expect(times).toBe(2);
    expect(await db().job.count()).toBe(0);
    expect(those[1]!.book.read("count-things")).toMatchObject({
      failures: 0,
      runningSince: null,
      last: { result: "succeeded", handled: 2, process: "process-1" },
    });
  });

  test("runs at once when it is woken, and never twice at once", async () => {
    const work = hangs();
    const runner = aRunner([ownJob(work.run)]);
    await runner.tick();
    runner.wake("count-things");
    runner.wake("count-things");
    await runner.tick();
    expect(work.started).toHaveLength(1);
    hanging.shift()!();
    await runner.idle();
    // It was requested while it ran, so it runs once more.
    await runner.tick();
    expect(work.started).toHaveLength(2);
  });

  test("runs while the database does not answer", async () => {
    let times = 0;
    const jobs = [ownJob(async () => (times += 1)), aJob(async () => 0, { name: "other" })];
    const away = () => {
      throw new Error("the database is away");
    };
    await turn(aRunner(jobs, { db: away }));
    expect(times).toBe(1);
  });

  test("that fails is no silence, and that hangs is", async () => {
    const work = hangs();
    const runner = aRunner([
      ownJob(() => Promise.reject(new Error("no")), { name: "failing" }),
      ownJob(work.run, { name: "hanging" }),
    ]);
    await runner.tick();
    await vi.waitFor(() => expect(runner.book.read("failing")).toMatchObject({ failures: 1 }));
    const failing = runner.book.silenceOf("failing");
    expect(failing.endedMs).toBeLessThan(failing.succeededMs);
    const hanging = runner.book.silenceOf("hanging");
    expect(hanging.endedMs).toBe(hanging.succeededMs);
    expect(runner.book.read("hanging")?.runningSince).toBeInstanceOf(Date);
  });
});

describe("a runner that stops", () => {
  test("tells its jobs, waits for them, and leaves the rest of their work to the next process", async () => {
    let steps = 0;
    const job = aJob(async (signal) => {
      for (; ; steps += 1) {
        signal.throwIfAborted();
        await pause(1);
      }
    });
    const runner = aRunner([job]);
    await runner.tick();
    await vi.waitFor(() => expect(steps).toBeGreaterThan(1));
    expect(await runner.stop()).toBe(true);
    expect(await row()).toMatchObject({ result: "interrupted", failures: 0, runningSince: null, error: "" });
    let times = 0;
    await turn(aRunner([aJob(async () => (times += 1))]));
    expect(times).toBe(1);
  });

  test("does not wait for ever for one that hangs", async () => {
    const runner = aRunner([aJob(hangs().run)]);
    await runner.tick();
    expect(await runner.stop(20)).toBe(false);
  });

  test("begins nothing any more", async () => {
    let times = 0;
    const runner = aRunner([aJob(async () => (times += 1))]);
    await runner.stop();
    await turn(runner);
    expect(times).toBe(0);
  });
});
