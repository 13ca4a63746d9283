import { retired } from "./retired.server";

export const loader = retired("rejections:directCreditRetired");
export const action = loader;
