import { db } from "~/connection/db.server";
import { authorOfAdminKey, readKey, revokeKey, updateKey } from "~/domain/keys/index.server";
import { manageEndpoint } from "../endpoint";
import { keyAnswer } from "../key-answers";
import { AMOUNTS, ChangeKey, keyRefOf } from "../key-requests";

const key = manageEndpoint(
  {
    GET: async ({ admin, params }) => keyAnswer(await readKey(db(), admin, keyRefOf(params))),
    PATCH: async ({ admin, params, body }) => {
      const change = await body(ChangeKey, { amounts: AMOUNTS });
      return keyAnswer(await updateKey(db(), admin, keyRefOf(params), change, authorOfAdminKey(admin)));
    },
    DELETE: async ({ admin, params }) =>
      keyAnswer(await revokeKey(db(), admin, keyRefOf(params), authorOfAdminKey(admin))),
  },
  { body: { PATCH: ChangeKey } },
);

export const loader = key;
export const action = key;
