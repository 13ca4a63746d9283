import { fdatasyncSync } from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/**
 * PGlite's file system on a folder, with a working fsync.
 *
 * Emscripten's NODEFS has no `fsync` at all, so PostgreSQL's own flush would succeed without reaching the disk.
 * PostgreSQL must be told to use `wal_sync_method=fsync`: Emscripten answers `fdatasync` itself, without asking the file system.
 */
export class DurableFiles extends NodeFS {
  async init(pg, options) {
    const started = await super.init(pg, options);
    const preRun = [
      ...started.emscriptenOpts.preRun,
      (module) => {
        module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
          if (stream.nfd !== undefined && stream.nfd !== null) fdatasyncSync(stream.nfd);
          return 0;
        };
      },
    ];
    return { ...started, emscriptenOpts: { ...started.emscriptenOpts, preRun } };
  }
}
