/** The imported files of each file. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the import cycles of a graph: every group of two or more files that reach each other by imports (strongly
 * connected components, by Tarjan's algorithm).
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    onPath.add(file);
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (onPath.has(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = path.splice(path.indexOf(file));
    for (const member of group) onPath.delete(member);
    if (group.length > 1) circles.push(group.sort());
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
