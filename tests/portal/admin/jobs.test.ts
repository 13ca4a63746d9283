import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

const PAGE = "/dashboard/admin/jobs";
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 60_000);
afterAll(() => portal.close());

const runAddress = (job: string) => `${PAGE}/${job}/run`;
/** Postpones a job, so that it does not run on its own during a test. */
const rest = (job: string) =>
  portal.sql("UPDATE job SET next_run_at = now() + interval '1 hour' WHERE name = $1 AND lease_owner IS NULL", [job]);
const acts = () => portal.sql("SELECT actor_id, target_id FROM act WHERE action = 'job.run' ORDER BY id");

async function untilRequestedRun(job: string, count: number) {
  return vi.waitFor(
    async () => {
      const rows = await portal.sql("SELECT result FROM job_run WHERE job = $1 AND requested ORDER BY id", [job]);
      expect(rows).toHaveLength(count);
      return rows;
    },
    { timeout: 10_000, interval: 100 },
  );
}

describe("the page of the jobs", () => {
  test("shows platform admins every job with its last and next run", async () => {
    await vi.waitFor(
      async () => {
        const [row] = await portal.sql("SELECT count(*)::int AS n FROM job WHERE result = 'succeeded'");
        expect(row?.n).toBe(34);
      },
      { timeout: 10_000, interval: 100 },
    );
    const { browser } = await portal.signInAs("platform_admin");
    const response = await browser.get(PAGE);
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain("Release expired holds");
    expect(page).toContain("Send emails");
    expect(page).toContain("Every 10 minutes");
    expect(page).toContain("Succeeded");
    expect(page).toContain("No runs to show yet");
    expect(page).toMatch(/<a[^>]+href="\/dashboard\/admin\/jobs"[^>]*>/);
  });

  test.each([
    ["de", "Alle 10 Minuten", "Abgelaufene Reservierungen freigeben"],
    ["fr", "Toutes les 10 minutes", "Libérer les réservations expirées"],
    ["es", "Cada 10 minutos", "Liberar reservas vencidas"],
  ])("speaks the language of its reader: %s", async (language, every, name) => {
    const { browser } = await portal.signInAs("platform_admin");
    await browser.post("/set-language", { language });
    const page = await (await browser.get(PAGE)).text();
    expect(page).toContain(every);
    expect(page).toContain(name);
  });

  test("and the run of a job are nobody else's", async () => {
    for (const role of ["org_admin", "department_admin", "member", "viewer"] as const) {
      const { browser } = await portal.signInAs(role);
      expect((await browser.getJson(PAGE)).status).toBe(403);
      expect((await browser.post(runAddress("purge-emails"), {}, { json: true })).status).toBe(403);
      expect((await browser.post(runAddress("no-such-job"), {}, { json: true })).status).toBe(403);
    }
    expect((await portal.visitor().post(runAddress("purge-emails"), {}, { json: true })).status).toBe(401);
    expect(await acts()).toEqual([]);
  });

  test("answers 404 for a job that there is not, and 422 for what is no page", async () => {
    const { browser } = await portal.signInAs("platform_admin");
    for (const name of ["no-such-job", "constructor", "%00", "x".repeat(100)]) {
      const response = await browser.post(runAddress(encodeURIComponent(name)), {}, { json: true });
      expect(`${name} ${response.status}`).toBe(`${name} 404`);
    }
    expect((await browser.getJson(`${PAGE}?job=no-such-job`)).status).toBe(404);
    expect((await browser.getJson(`${PAGE}?after=x`)).status).toBe(422);
    expect(await acts()).toEqual([]);
  });
});

describe("running a job now", () => {
  test("runs it within seconds, and the audit log says who asked", async () => {
    await rest("purge-token-events");
    const { browser, person } = await portal.signInAs("platform_admin");
    const response = await browser.post(runAddress("purge-token-events"));
    expect(response.status).toBe(303);
    expect(await untilRequestedRun("purge-token-events", 1)).toEqual([{ result: "succeeded" }]);
    expect(await acts()).toEqual([{ actor_id: person.userId, target_id: "purge-token-events" }]);
    const page = await (await browser.follow(response)).text();
    expect(page).toContain("The job will start within a second.");
    const runs = await (await browser.get(`${PAGE}?job=purge-token-events`)).text();
    expect(runs).toContain("Started by hand");
    expect(await (await browser.get("/dashboard/activity")).text()).toContain("started the job");
  });

  test("in parallel runs it once: the others are told that it is on its way", async () => {
    const [before] = await portal.sql("SELECT count(*)::int AS n FROM act WHERE action = 'job.run'");
    const { browser } = await portal.signInAs("platform_admin");
    // No process runs the job while another process has its lease.
    await portal.sql(`UPDATE job SET lease_owner = 'elsewhere', lease_until = now() + interval '1 hour', running_since = now()
                       WHERE name = 'purge-job-runs'`);
    const whileRunning = await browser.post(runAddress("purge-job-runs"), {}, { json: true });
    expect(whileRunning.status).toBe(409);
    await portal.sql(`UPDATE job SET lease_owner = NULL, lease_until = NULL, running_since = NULL, next_run_at = now() + interval '1 hour'
                       WHERE name = 'purge-job-runs'`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.post(runAddress("purge-job-runs"), {}, { json: true })),
    );
    const statuses = answers.map(({ status }) => status);
    const asked = statuses.filter((status) => status === 200).length;
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    // Each accepted request is one run and one event; rejected requests, during a pending run, are neither.
    await untilRequestedRun("purge-job-runs", asked);
    const [after] = await portal.sql("SELECT count(*)::int AS n FROM act WHERE action = 'job.run'");
    expect((after?.n as number) - (before?.n as number)).toBe(asked);
  });

  test("reaches a job that every process runs for itself", async () => {
    const { browser } = await portal.signInAs("platform_admin");
    expect((await browser.post(runAddress("log-audit-head"), {}, { json: true })).status).toBe(200);
    await vi.waitFor(
      async () => {
        const page = await (await browser.get(PAGE)).text();
        const row = page.slice(page.indexOf("Log the audit log’s head")).split("</tr>")[0] ?? "";
        expect(row).toContain("1 item");
      },
      { timeout: 10_000, interval: 200 },
    );
  });
});

describe("readiness", () => {
  test("names a job that is overdue and stays ready", async () => {
    const ready = async () => (await portal.visitor().getJson("/health?ready")).json();
    expect(await ready()).toEqual({ status: "ok", database: "ok" });
    await portal.sql(`UPDATE job SET succeeded_at = now() - interval '2 days', next_run_at = now() + interval '1 hour'
                       WHERE name = 'purge-sessions'`);
    expect(await ready()).toEqual({ status: "ok", database: "ok", late_jobs: ["purge-sessions"] });
    const { browser } = await portal.signInAs("platform_admin");
    expect(await (await browser.get(PAGE)).text()).toContain("Overdue");
    await portal.sql("UPDATE job SET next_run_at = now() WHERE name = 'purge-sessions'");
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: "ok", database: "ok" }), {
      timeout: 10_000,
      interval: 100,
    });
  });
});
