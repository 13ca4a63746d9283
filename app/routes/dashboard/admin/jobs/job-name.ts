import { z } from "zod";

/** What may be a job's name; whether there is one of it, the jobs' room knows. */
export const JobName = z.string().min(1).max(100);
