import { log } from "./log.server";

/**
 * Lets the process live on when a promise is rejected and nobody listens, as with a file that cannot be opened beside a call
 * that can do without it: Node would end the process, with every in-flight stream. It is logged as the fault that it is.
 * What is thrown outside of promises still ends the process. Returns what takes the promise back.
 */
export function handleUnhandledRejections(): () => void {
  const onRejection = (problem: unknown) => log.error({ err: problem }, "unhandled rejection; the process goes on");
  process.on("unhandledRejection", onRejection);
  return () => void process.off("unhandledRejection", onRejection);
}
