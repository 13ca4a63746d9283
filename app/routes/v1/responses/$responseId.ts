import { storedResponse } from "~/gateway/stored-responses/serve";

export const loader = storedResponse;
export const action = storedResponse;
