import { batch } from "~/gateway/batches/serve";

export const loader = batch;
export const action = batch;
