import { db as database } from "~/connection/db.server";
import { authorOfAdminKey, issueKey, listKeys } from "~/domain/keys/index.server";
import { manageEndpoint } from "./endpoint";
import { issuedAnswer, keyListAnswer } from "./key-answers";
import { AMOUNTS, CreateKey, ListKeys } from "./key-requests";

const keys = manageEndpoint(
  {
    GET: async ({ admin, query }) => keyListAnswer(await listKeys(database(), admin, query(ListKeys))),
    POST: async ({ admin, body, db }) => {
      const key = await body(CreateKey, { amounts: AMOUNTS });
      return issuedAnswer(
        await issueKey(db, { ...key, organisationId: admin.organisationId }, authorOfAdminKey(admin)),
      );
    },
  },
  { query: { GET: ListKeys }, body: { POST: CreateKey } },
);

export const loader = keys;
export const action = keys;
