import { inputItems } from "~/gateway/stored-responses/serve";

export const loader = inputItems;
export const action = inputItems;
