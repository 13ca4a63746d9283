import { retired } from "./retired.server";

export const loader = retired("rejections:cardFormRetired");
export const action = loader;
