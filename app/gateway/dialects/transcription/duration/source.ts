/** A file with random access; `read` returns fewer bytes than requested only at its end. */
export interface AudioFile {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}
