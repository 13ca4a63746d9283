import { fileContent } from "~/gateway/files/serve";

export const loader = fileContent;
export const action = fileContent;
