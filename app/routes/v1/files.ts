import { files } from "~/gateway/files/serve";

export const loader = files;
export const action = files;
