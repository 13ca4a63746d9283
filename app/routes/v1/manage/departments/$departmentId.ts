import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { listDepartments, setDepartmentBudget } from "~/domain/organisations/index.server";
import { apiError } from "~/errors/app-error";
import { actorOf } from "../actor";
import { manageEndpoint } from "../endpoint";
import { departmentAnswer } from "../part-answers";
import { BUDGET_AMOUNTS, ChangeBudget, newBudgetOf } from "../part-requests";
import { idOf } from "../person-requests";

const department = manageEndpoint(
  {
    GET: async (call) => answerOf(await actorOf(call), idOf(call.params, "departmentId")),
    PATCH: async (call) => {
      const actor = await actorOf(call);
      const departmentId = idOf(call.params, "departmentId");
      const budget = newBudgetOf(await call.body(ChangeBudget, { amounts: BUDGET_AMOUNTS }));
      await setDepartmentBudget(db(), actor, { organisationId: actor.organisationId, departmentId }, budget);
      return answerOf(actor, departmentId);
    },
  },
  { body: { PATCH: ChangeBudget } },
);

/** @throws AppError not_found */
async function answerOf(actor: Actor, departmentId: number) {
  const departments = await listDepartments(db(), actor, actor.organisationId);
  const match = departments.find(({ id }) => id === departmentId);
  if (match === undefined) throw apiError("not_found", { key: "rejections:noDepartment" });
  return departmentAnswer(match);
}

export const loader = department;
export const action = department;
