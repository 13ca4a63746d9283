import { log } from "./log.server";

/**
 * Keeps the process running after a rejection without a handler, such as that of an optional file during a call: Node
 * would end the process, with every stream in flight. Logs it as an error. Errors thrown outside promises still end the
 * process. Returns a function that removes the handler.
 */
export function handleUnhandledRejections(): () => void {
  const onRejection = (error: unknown) => log.error({ err: error }, "unhandled rejection; the process goes on");
  process.on("unhandledRejection", onRejection);
  return () => void process.off("unhandledRejection", onRejection);
}
