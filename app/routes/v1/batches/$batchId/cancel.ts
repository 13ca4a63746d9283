import { cancelledBatch } from "~/gateway/batches/serve";

export const loader = cancelledBatch;
export const action = cancelledBatch;
