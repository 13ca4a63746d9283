import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { Viewpoint } from "~/domain/accounts/shared";
import type { ReportQuestion, ReportRow } from "./answer";
import { encoderOf } from "./encode";
import { askedBy } from "./index.server";
import type { ExportFormat } from "./shared";

const viewer: Viewpoint = {
  ...{ userId: 1, role: "member", organisationId: 1, departmentId: null, adminMode: false, adminOrganisationId: null },
};
const question = askedBy(
  viewer,
  {
    since: "2026-03-29",
    until: "2026-03-29",
    zone: "Europe/Berlin",
    interval: "day",
    group: "model",
    charged_usd: true,
  },
  new Date(),
);
const row = (group: string): ReportRow =>
  ({ start: question.window.from, group, name: group, chargedNanoUsd: 1_500_000_001n }) as ReportRow;

function fileOf(format: ExportFormat, rows: ReportRow[], of: ReportQuestion = question): Buffer {
  const encoder = encoderOf(format, of);
  return Buffer.concat([encoder.begin(), encoder.rows(rows), encoder.end()]);
}

test("a workbook has texts as texts, amounts as numbers and moments by the clocks of the question", () => {
  const parts = unzipSync(
    fileOf("xlsx", [row("=cmd|' /C calc'!A0"), row("<b>&\u0000\ud800"), row("a_x0041_b_X0041__x005f_x_")]),
  );
  expect(Object.keys(parts)).toContain("[Content_Types].xml");
  const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"] as Uint8Array);
  expect(sheet).not.toContain("<f>");
  expect(sheet).toContain(`<t xml:space="preserve">=cmd|' /C calc'!A0</t>`);
  expect(sheet).toContain('<t xml:space="preserve">&lt;b&gt;&amp;</t>');
  // Spreadsheets read _xHHHH_ as the character with this code.
  expect(sheet).toContain('<t xml:space="preserve">a_x005F_x0041_b_x005F_X0041__x005F_x005f_x_</t>');
  expect(sheet).toContain("<c><v>1.500000001</v></c>");
  // Midnight in Berlin on the day with 23 hours: day 46,110 of spreadsheets.
  expect(sheet).toContain('<c s="1"><v>46110</v></c>');
});

test("JSON by the line has exact amounts, and CSV no formula", () => {
  expect(fileOf("jsonl", [row("m")]).toString()).toBe(
    '{"start":"2026-03-28T23:00:00.000Z","model":"m","name":"m","charged_usd":1.500000001}\n',
  );
  expect(fileOf("csv", [row("=1+1")]).toString()).toBe(
    "\ufeffstart,model,name,charged_usd\r\n2026-03-28T23:00:00.000Z,'=1+1,'=1+1,1.500000001\r\n",
  );
});
