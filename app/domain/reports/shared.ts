import { z } from "zod";
import { isLine } from "~/domain/identity/shared";
import { issue } from "~/errors/message";

export const ReportName = z
  .string()
  .trim()
  .min(1, issue("problems:enterAName"))
  .max(120)
  .refine(isLine, issue("problems:nameUnshowable"));

/** Who may read the question of a saved report besides its owner. */
export const VISIBILITIES = ["private", "department", "organisation"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A saved report, as those who may read it see it. `question`: the parameters of the builder, as its address has them. */
export type SavedReport = {
  id: number;
  name: string;
  question: string;
  visibility: Visibility;
  /** Counts the changes. */
  version: number;
  owner: string;
  createdAt: Date;
  updatedAt: Date;
  /** Whether the reader may rename and delete it. */
  canChange: boolean;
};
