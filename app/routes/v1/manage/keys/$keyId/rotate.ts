import { authorOfAdminKey, rotateKey } from "~/domain/keys/index.server";
import { manageEndpoint } from "../../endpoint";
import { issuedAnswer } from "../../key-answers";
import { keyRefOf, RotateKey } from "../../key-requests";

const rotation = manageEndpoint(
  {
    POST: async ({ admin, params, body, db }) => {
      const overlap = await body(RotateKey, { mayBeEmpty: true });
      const rotated = await rotateKey(db, admin, keyRefOf(params), overlap, authorOfAdminKey(admin));
      return {
        ...issuedAnswer(rotated),
        rotated_at: rotated.rotatedAt,
        previous_valid_until: rotated.previousValidUntil,
      };
    },
  },
  { body: { POST: RotateKey } },
);

export const loader = rotation;
export const action = rotation;
