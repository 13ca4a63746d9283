import { z } from "zod";
import { Id } from "~/http/body/fields";
import { retired } from "../retired.server";

export const loader = retired("rejections:cardFormRetired", { method: "DELETE", params: z.object({ pmId: Id }) });
export const action = loader;
