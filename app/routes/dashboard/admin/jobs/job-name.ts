import { z } from "zod";

/** The name of a job; the jobs room checks whether it exists. */
export const JobName = z.string().min(1).max(100);
