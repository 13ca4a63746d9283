import { keyAutorouterEndpoint } from "~/routes/dashboard/autorouter/key-autorouter.server";

const anyKey = keyAutorouterEndpoint({ allow: "department_admin", ownOnly: false });

export const loader = anyKey;
export const action = anyKey;
