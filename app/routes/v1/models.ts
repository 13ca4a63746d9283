import { listModels } from "~/gateway/list-models";

export const loader = listModels;
export const action = listModels;
