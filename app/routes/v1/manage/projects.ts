import { db } from "~/connection/db.server";
import { readBudgets } from "~/domain/accounting/index.server";
import { listProjects } from "~/domain/organisations/index.server";
import { encodeCursor } from "~/http/cursor";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { projectAnswer } from "./part-answers";
import { ListProjects } from "./part-requests";

/** The projects of the key's organisation, newest first. */
const projects = manageEndpoint(
  {
    GET: async (call) => {
      const actor = await actorOf(call);
      const page = await listProjects(db(), actor, call.query(ListProjects));
      const ids = page.projects.map(({ id }) => id);
      const budgets = await readBudgets(db(), "project", ids);
      return {
        data: page.projects.map((project) => projectAnswer(project, budgets.get(project.id) ?? null)),
        next_cursor: page.nextBeforeId === null ? null : encodeCursor("projects", page.nextBeforeId),
      };
    },
  },
  { query: { GET: ListProjects } },
);

export const loader = projects;
export const action = projects;
