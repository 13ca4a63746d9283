import { providerCallback } from "../../../flow/provider-callback.server";

const endpoint = providerCallback("idp-b");
export const loader = endpoint;
export const action = endpoint;
