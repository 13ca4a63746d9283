import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { mergeOrganisations } from "~/domain/organisations/index.server";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { actorFor, aDepartment, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import {
  beginScheduledRuns,
  createReport,
  createSchedule,
  deleteReport,
  listScheduleRuns,
  listSchedules,
  readReport,
  renameReport,
} from "./index.server";
import type { Visibility } from "./shared";

let books: Books;
let platform: Actor;

beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  books = await openBooks();
  const home = await anOrganisation({ name: "Operator", billingExempt: true });
  await aPerson(home.id, "owner");
  platform = await anActor(home.id, "platform_admin");
}, 120_000);
afterAll(() => books.close());

const save = (actor: Actor, name: string, visibility: Visibility) =>
  createReport(db(), actor, { name, question: "", visibility });

test("a merge of organisations keeps what is shared shared, in its department or with everybody, and its schedule", async () => {
  const [target, source] = [await anOrganisation(), await anOrganisation()];
  const { id: departmentId } = await aDepartment(source.id, "Research");
  const ada = await anActor(source.id, "member", { departmentId });
  const near = await anActor(source.id, "member", { departmentId });
  const far = await anActor(target.id, "member");
  const ids = {
    everybody: await save(ada, "For everybody", "organisation"),
    department: await save(ada, "For the department", "department"),
    own: await save(ada, "My own", "private"),
  };
  await createSchedule(db(), ada, {
    ...{ reportId: ids.everybody, asked: {}, cadence: "daily", cron: "", zone: "UTC", format: "csv" },
    ...{ byMail: true, byWebhook: false },
  });
  await mergeOrganisations(db(), platform, { targetId: target.id, sourceIds: [source.id], roles: new Map() });
  const seenBy = async ({ userId }: Actor) => {
    const reader = await actorFor(userId);
    return Promise.all(Object.values(ids).map((id) => codeOf(readReport(db(), reader, id))));
  };
  expect(await seenBy(ada)).toEqual(["ok", "ok", "ok"]);
  expect(await seenBy(near)).toEqual(["ok", "ok", "not_found"]);
  expect(await seenBy(far)).toEqual(["ok", "not_found", "not_found"]);
  await books.sql("UPDATE report_schedule SET next_run_at = app_now() WHERE user_id = $1", [ada.userId]);
  expect(await beginScheduledRuns(db(), new AbortController().signal)).toBe(1);
  expect(await listSchedules(db(), ada)).toMatchObject([{ disabledBecause: null }]);
  expect(await listScheduleRuns(db(), ada)).toMatchObject([{ status: "running" }]);
});

test("somebody who moves alone takes reports along as their own", async () => {
  const [from, to] = [await anOrganisation(), await anOrganisation()];
  const mover = await anActor(from.id, "member");
  const id = await save(mover, "Shared so far", "organisation");
  await books.sql("UPDATE app_user SET organisation_id = $2 WHERE id = $1", [mover.userId, to.id]);
  expect(await codeOf(readReport(db(), await anActor(to.id, "member"), id))).toBe("not_found");
  expect(await codeOf(readReport(db(), await anActor(from.id, "member"), id))).toBe("not_found");
  expect(await readReport(db(), await actorFor(mover.userId), id)).toMatchObject({ visibility: "private", version: 2 });
});

test("saving, renaming and deleting stand in the audit log, with who did it to whose report", async () => {
  const { id: organisationId } = await anOrganisation();
  const owner = await anActor(organisationId, "member");
  const admin = await anActor(organisationId, "org_admin");
  const id = await save(owner, "Spend", "organisation");
  await renameReport(db(), admin, { id, name: "Spend by day", version: null });
  expect(await codeOf(renameReport(db(), admin, { id, name: "Late", version: 1 }))).toBe("conflict");
  expect(await codeOf(save(owner, "Spend by day", "private"))).toBe("conflict");
  await deleteReport(db(), owner, id);
  const events = await books.sql(
    `SELECT action, actor_id AS actor, subject_user_id AS owner, target_label AS name, before, after
       FROM act WHERE target_kind = 'saved_report' AND target_id = $1 ORDER BY id`,
    [String(id)],
  );
  const [shared, names] = [
    { visibility: "organisation" },
    { before: { name: "Spend" }, after: { name: "Spend by day" } },
  ];
  expect(events).toMatchObject([
    { action: "saved_report.create", actor: owner.userId, owner: owner.userId, name: "Spend", after: shared },
    { action: "saved_report.rename", actor: admin.userId, owner: owner.userId, name: "Spend by day", ...names },
    { action: "saved_report.delete", actor: owner.userId, owner: owner.userId, name: "Spend by day", before: shared },
  ]);
});
