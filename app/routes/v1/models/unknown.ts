import { retrieveModel } from "~/gateway/list-models";

/** Names of models have slashes, which some clients write as they are. */
export const loader = retrieveModel;
export const action = retrieveModel;
