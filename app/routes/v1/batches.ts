import { batches } from "~/gateway/batches/serve";

export const loader = batches;
export const action = batches;
