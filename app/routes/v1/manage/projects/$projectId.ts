import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readProject, setProjectBudget } from "~/domain/organisations/index.server";
import { actorOf } from "../actor";
import { manageEndpoint } from "../endpoint";
import { projectAnswer } from "../part-answers";
import { BUDGET_AMOUNTS, ChangeBudget, newBudgetOf } from "../part-requests";
import { idOf } from "../person-requests";

const project = manageEndpoint(
  {
    GET: async (call) => answerOf(await actorOf(call), idOf(call.params, "projectId")),
    PATCH: async (call) => {
      const actor = await actorOf(call);
      const projectId = idOf(call.params, "projectId");
      const budget = newBudgetOf(await call.body(ChangeBudget, { amounts: BUDGET_AMOUNTS }));
      await setProjectBudget(db(), actor, projectId, budget);
      return answerOf(actor, projectId);
    },
  },
  { body: { PATCH: ChangeBudget } },
);

/** @throws AppError not_found */
async function answerOf(actor: Actor, projectId: number) {
  const { project: row, budget } = await readProject(db(), actor, projectId);
  return projectAnswer(row, budget);
}

export const loader = project;
export const action = project;
