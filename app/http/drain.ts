let draining = false;

/** The process has been asked to stop: it finishes what it has and takes nothing new. */
export const isDraining = (): boolean => draining;

/** From now on new work is refused. */
export function beginDrain(): void {
  draining = true;
}
