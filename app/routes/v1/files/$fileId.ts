import { file } from "~/gateway/files/serve";

export const loader = file;
export const action = file;
