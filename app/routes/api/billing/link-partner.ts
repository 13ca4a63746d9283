import { retired } from "./retired.server";

export const loader = retired("rejections:partnerRetired");
export const action = loader;
