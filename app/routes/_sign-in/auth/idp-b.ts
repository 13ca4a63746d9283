import { providerStart } from "../flow/provider-start.server";

const endpoint = providerStart("idp-b");
export const loader = endpoint;
export const action = endpoint;
