/** `batch`: input lines of a batch, from a client; `batch_output`: output of a batch. */
export type FilePurpose = "batch" | "batch_output";

export type StoredFile = {
  id: string;
  purpose: FilePurpose;
  filename: string;
  bytes: number;
  at: Date;
  expiresAt: Date;
};

/** A page of a list: the files after the given one, by time. */
export type FilePage = { after: string | null; limit: number; order: "asc" | "desc" };
