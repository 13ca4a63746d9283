import { retrieveModel } from "~/gateway/list-models";

/** Model names contain slashes, which some clients do not encode. */
export const loader = retrieveModel;
export const action = retrieveModel;
