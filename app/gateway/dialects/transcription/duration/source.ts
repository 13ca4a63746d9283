/** A file whose bytes can be read anywhere; fewer than asked for only at its end. */
export interface AudioFile {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}
