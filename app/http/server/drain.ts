let draining = false;

/** Whether the process is stopping: it finishes the requests in flight and accepts no new ones. */
export const isDraining = (): boolean => draining;

/** Starts rejecting new work. */
export function beginDrain(): void {
  draining = true;
}
