/** `batch`: lines for a batch, from a client; `batch_output`: what a batch has written. */
export type FilePurpose = "batch" | "batch_output";

export type StoredFile = {
  id: string;
  purpose: FilePurpose;
  filename: string;
  bytes: number;
  at: Date;
  expiresAt: Date;
};

/** A page of a list: behind the file named, by their time. */
export type FilePage = { after: string | null; limit: number; order: "asc" | "desc" };
