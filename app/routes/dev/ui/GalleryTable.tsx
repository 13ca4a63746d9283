import { BudgetGauge } from "~/ui/BudgetGauge";
import { Tokens } from "~/ui/Figures";
import { type Column, ColumnChoice, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";

type Row = { id: number; name: string; spent: bigint; limit: bigint; tokens: number };

const ROWS: readonly Row[] = [
  { id: 1, name: "research-batch", spent: 312_400_000_000n, limit: 500_000_000_000n, tokens: 612_000_000 },
  { id: 2, name: "website", spent: 12_000_000n, limit: 5_000_000_000n, tokens: 81_204 },
  { id: 3, name: "a-key-with-a-rather-long-name-that-somebody-chose", spent: 0n, limit: 0n, tokens: 0 },
];

const COLUMNS: readonly Column<Row>[] = [
  { id: "name", header: "Name", cell: (row) => <b className="font-strong">{row.name}</b>, value: (row) => row.name },
  { id: "status", header: "Status", cell: () => <Badge kind="good">active</Badge> },
  {
    id: "tokens",
    header: "Tokens",
    align: "end",
    cell: (row) => <Tokens count={row.tokens} />,
    optional: true,
    value: (row) => row.tokens,
  },
  {
    id: "spend",
    header: "Spend",
    cell: (row) => <BudgetGauge small spentNano={row.spent} heldNano={row.spent / 20n} limitNano={row.limit || null} />,
  },
];

export function GalleryTable() {
  return (
    <>
      <div className="flex justify-end px-4 py-2">
        <ColumnChoice name="gallery" columns={COLUMNS} />
      </div>
      <DataTable name="gallery" caption="Keys" columns={COLUMNS} rows={ROWS} rowKey={(row) => row.id} />
    </>
  );
}
