import { providerStart } from "../flow/provider-start.server";

const endpoint = providerStart("idp-a");
export const loader = endpoint;
export const action = endpoint;
