import { retrieveModel } from "~/gateway/list-models";

export const loader = retrieveModel;
export const action = retrieveModel;
