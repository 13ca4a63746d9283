import { cancelledResponse } from "~/gateway/stored-responses/serve";

export const loader = cancelledResponse;
export const action = cancelledResponse;
