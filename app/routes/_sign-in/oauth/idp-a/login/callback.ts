import { providerCallback } from "../../../flow/provider-callback.server";

const endpoint = providerCallback("idp-a");
export const loader = endpoint;
export const action = endpoint;
