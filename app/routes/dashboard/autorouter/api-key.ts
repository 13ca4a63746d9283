import { keyAutorouterEndpoint } from "./key-autorouter.server";

const ownKey = keyAutorouterEndpoint({ allow: "member", ownOnly: true });

export const loader = ownKey;
export const action = ownKey;
