type Cell = { tried: number; problems: unknown[] };

/** The number of sessions and of passed sessions for each agent and twin. */
export class SessionTable {
  readonly #twins: readonly string[];
  readonly #agents = new Map<string, Map<string, Cell>>();

  constructor(twins: readonly string[]) {
    this.#twins = twins;
  }

  /** Waits for one session and counts it, passed or failed. */
  async counted(agent: string, twin: string, session: Promise<void>): Promise<void> {
    const cell = this.#cell(agent, twin);
    cell.tried += 1;
    await session.catch((error) => cell.problems.push(error));
  }

  /** @throws the first error of these sessions, if any. */
  expectAllPassed(agent: string, twin: string): void {
    const { problems } = this.#cell(agent, twin);
    if (problems.length > 0) throw problems[0];
  }

  /** Returns a table with a row per twin and a column per agent; cells are `passed of tried`. */
  text(): string {
    const agents = [...this.#agents];
    const rows = this.#twins
      .filter((twin) => agents.some(([, cells]) => cells.has(twin)))
      .map((twin) => [twin, ...agents.map(([, cells]) => told(cells.get(twin)))]);
    const sums = agents.map(([, cells]) => told(sumOf([...cells.values()])));
    const table = [["twin", ...agents.map(([name]) => name)], ["---", ...agents.map(() => "---")], ...rows];
    return `\n${[...table, ["all", ...sums]].map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
  }

  #cell(agent: string, twin: string): Cell {
    const cells = this.#agents.get(agent) ?? new Map<string, Cell>();
    const cell = cells.get(twin) ?? { tried: 0, problems: [] };
    this.#agents.set(agent, cells.set(twin, cell));
    return cell;
  }
}

const told = (cell: Cell | undefined) => (cell ? `${cell.tried - cell.problems.length} of ${cell.tried}` : "");

const sumOf = (cells: readonly Cell[]): Cell => ({
  tried: cells.reduce((sum, { tried }) => sum + tried, 0),
  problems: cells.flatMap(({ problems }) => problems),
});
