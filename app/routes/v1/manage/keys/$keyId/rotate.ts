import { db } from "~/db.server";
import { rotateKey } from "~/domain/keys/index.server";
import { manageEndpoint } from "../../endpoint";
import { issuedAnswer } from "../../key-answers";
import { keyRefOf, RotateKey } from "../../key-requests";

const rotation = manageEndpoint({
  POST: async ({ admin, params, body }) => {
    const overlap = await body(RotateKey, { mayBeEmpty: true });
    const rotated = await rotateKey(db(), admin, keyRefOf(params), overlap);
    return {
      ...issuedAnswer(rotated),
      rotated_at: rotated.rotatedAt,
      previous_valid_until: rotated.previousValidUntil,
    };
  },
});

export const loader = rotation;
export const action = rotation;
