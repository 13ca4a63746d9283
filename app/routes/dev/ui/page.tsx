import type { MetaFunction } from "react-router";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Button, LinkButton } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { CopyText } from "~/ui/CopyText";
import { DialogButton } from "~/ui/Dialog";
import { Money, RelativeTime } from "~/ui/Figures";
import { CheckboxField, RadioGroup, SelectField, SwitchField, TextArea, TextField } from "~/ui/forms/fields";
import { FormActions, FormProblem, FormStack } from "~/ui/forms/form-parts";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import { Menu, MenuItem } from "~/ui/Menu";
import { Badge, Columns, DetailList, EmptyState, PageHeader, Section, Skeleton } from "~/ui/page-parts";
import { Snippets } from "~/ui/Snippets";
import { DashboardShell } from "~/ui/shell/DashboardShell";
import { Segments, Tabs } from "~/ui/Tabs";
import { GalleryCharts } from "./GalleryCharts";
import { GalleryTable } from "./GalleryTable";

export const meta: MetaFunction = () => [{ title: "Building blocks · gw" }];

const NAVIGATION = [
  { to: "/dev/ui", label: "Building blocks", group: "work", icon: "house" },
  { to: "/dashboard/keys", label: "API keys", group: "work", icon: "key-round" },
  { to: "/dashboard/admin/users", label: "People", group: "admin", icon: "users" },
];

/** All building blocks on one page, in development only, with invented figures. */
export default function Gallery() {
  return (
    <DashboardShell
      acts={[]}
      navigation={NAVIGATION}
      person={{ name: "Ada Example", email: "ada@example.test", role: "Organisation admin" }}
      toast={{ kind: "good", text: "The key was rotated. The old one works until 14:30." }}
    >
      <PageHeader
        back={{ to: "/dev/ui", label: "Back" }}
        title="Building blocks"
        sub={<CopyText text="gw_sHek…C6Tp" what="id" />}
        tags={<Badge kind="good">Active</Badge>}
        actions={
          <>
            <Segments
              label="Period"
              items={[
                { to: "?range=7d", label: "7 d", current: false },
                { to: "?range=30d", label: "30 d", current: true },
              ]}
            />
            <Menu label="More">
              <MenuItem to="/dev/ui">Rename</MenuItem>
              <MenuItem to="/dev/ui">Duplicate</MenuItem>
            </Menu>
            <LinkButton to="/dev/ui" kind="primary">
              New key
            </LinkButton>
          </>
        }
      />
      <Tabs
        label="Parts"
        tabs={[
          { to: "?tab=a", label: "Summary", current: true },
          { to: "?tab=b", label: "Refusals", current: false, count: 12 },
        ]}
      />
      <GalleryCharts />
      <Columns>
        <Section title="Budget this month" aside="resets in 10 d">
          <BudgetGauge spentNano={312_400_000_000n} heldNano={14_220_000_000n} limitNano={500_000_000_000n} />
        </Section>
        <Section title="Policy">
          <DetailList
            rows={[
              ["Models", "every model"],
              ["Regions", "eu only"],
              ["Spent", <Money key="spent" nano={3_625_600n} />],
              ["Last used", <RelativeTime key="used" at={new Date(Date.now() - 4_000)} />],
            ]}
          />
        </Section>
      </Columns>
      <FilterBar
        filters={{
          fields: { q: { label: "Search" }, status: { label: "Status", any: "Any", options: [] } },
          chips: [{ label: "Status", value: "active", without: "/dev/ui" }],
          kept: {},
        }}
        clear="/dev/ui"
        aside={<CsvLink to="/dev/ui" />}
      />
      <Section flush title="Keys">
        <GalleryTable />
        <Pager older="?before=1" shown="1–3 of many" />
      </Section>
      <Columns even>
        <Section title="Form">
          <form method="get" className="grid gap-4">
            <FormProblem text="This name is taken." />
            <FormStack>
              <TextField name="name" label="Name" hint="Shown in lists." problem="Enter a name." />
              <SelectField name="period" label="Period" options={[{ value: "monthly", label: "Monthly" }]} />
              <TextArea name="note" label="Note" />
              <CheckboxField name="eu" label="Only in Europe" hint="Requests elsewhere are refused." />
              <SwitchField name="on" label="Alerts" defaultChecked />
              <RadioGroup
                name="overlap"
                label="Overlap"
                defaultValue="hour"
                options={[
                  { value: "none", label: "None" },
                  { value: "hour", label: "One hour", hint: "The old secret works for one hour." },
                ]}
              />
            </FormStack>
            <FormActions>
              <Button kind="primary">Save</Button>
              <Button kind="plain">Cancel</Button>
              <DialogButton kind="danger" dialog="revoke">
                Revoke…
              </DialogButton>
            </FormActions>
          </form>
          <ConfirmDialog
            id="revoke"
            title="Revoke this key?"
            action="/dev/ui"
            typed="research"
            confirm="Revoke"
            consequences="Requests with it are refused from now on."
          />
        </Section>
        <Section title="Use it">
          <Snippets
            name="use"
            samples={[
              { id: "chat", label: "Chat SDK", code: 'new OpenAI({ baseURL: "https://gw.example/v1" })' },
              { id: "curl", label: "curl", code: "curl https://gw.example/v1/models" },
            ]}
          />
        </Section>
      </Columns>
      <Columns even>
        <Section title="Nothing there" flush>
          <EmptyState title="No keys yet" action={<LinkButton to="/dev/ui">Make the first one</LinkButton>}>
            A key lets an application call models.
          </EmptyState>
        </Section>
        <Section title="On its way" flush>
          <Skeleton chart />
        </Section>
      </Columns>
    </DashboardShell>
  );
}
