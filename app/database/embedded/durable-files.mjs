import { fdatasyncSync } from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** Operations that read or change a file, by Emscripten's table of operations. */
const ACCESSES = {
  stream_ops: ["read", "write", "allocate", "msync"],
  node_ops: ["setattr", "mknod", "rename", "unlink", "rmdir", "symlink"],
};

/**
 * PGlite's file system on a folder, with a working fsync, for the holder of a lock. Calls `lock.fence` before each
 * access and `lock.verify` before each flush, so that no acknowledged write can have been overwritten by another
 * server.
 *
 * Emscripten's NODEFS has no `fsync` at all, so PostgreSQL's own flush would succeed without reaching the disk.
 * PostgreSQL must use `wal_sync_method=fsync`: Emscripten handles `fdatasync` itself, without calling the file system.
 */
export class DurableFiles extends NodeFS {
  #lock;

  constructor(path, lock) {
    super(path);
    this.#lock = lock;
  }

  async init(pg, options) {
    const started = await super.init(pg, options);
    const preRun = [
      ...started.emscriptenOpts.preRun,
      (module) => {
        const files = module.FS.filesystems.NODEFS;
        for (const [table, names] of Object.entries(ACCESSES))
          for (const name of names) this.#fence(files[table], name);
        files.stream_ops.fsync = (stream) => {
          this.#lock.verify();
          if (stream.nfd !== undefined && stream.nfd !== null) fdatasyncSync(stream.nfd);
          return 0;
        };
      },
    ];
    return { ...started, emscriptenOpts: { ...started.emscriptenOpts, preRun } };
  }

  #fence(table, name) {
    const access = table[name];
    if (access === undefined) return;
    table[name] = (...given) => {
      this.#lock.fence();
      return access.apply(table, given);
    };
  }
}
