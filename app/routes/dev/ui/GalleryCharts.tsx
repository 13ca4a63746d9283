import { Donut } from "~/ui/charts/Donut";
import { Histogram } from "~/ui/charts/Histogram";
import { Legend } from "~/ui/charts/Legend";
import { LineChart } from "~/ui/charts/LineChart";
import { Meter } from "~/ui/charts/Meter";
import { RateBars } from "~/ui/charts/RateBars";
import { StackedBars } from "~/ui/charts/StackedBars";
import { Waterfall } from "~/ui/charts/Waterfall";
import { Columns, Section } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";

const wave = (phase: number, size: number) =>
  Array.from({ length: 30 }, (_, day) => size * (1.4 + Math.sin(day / 3 + phase)) * (day % 7 > 4 ? 0.5 : 1));
const SERIES = [
  { name: "atlas-large", values: wave(0, 60) },
  { name: "atlas-mini", values: wave(1, 30) },
  { name: "meridian-4", values: wave(2, 20) },
];
const BINS = Array.from({ length: 30 }, (_, day) => ({ label: String(day + 1), long: `${day + 1} November` }));
const dollars = (value: number) => `$${value.toFixed(value < 10 ? 2 : 0)}`;

export function GalleryCharts() {
  return (
    <>
      <Stats>
        <StatCard label="Spend" value="$4,182.07" change={{ share: 0.124, more: "bad" }} spark={wave(0, 5)} />
        <StatCard label="Requests" value="1,204,518" change={{ share: 0.031, more: "neutral" }} spark={wave(1, 5)} />
        <StatCard label="Tokens" value="2.9B" note="41 % from cache" />
        <StatCard label="Latency" value="612 ms" change={{ share: -0.06, more: "bad" }} />
        <StatCard label="Errors" value="0.21 %" change={{ share: null, more: "bad" }} />
      </Stats>
      <Section
        title="Spend by model, per day"
        aside={<Legend names={SERIES.map(({ name }) => name)} held="held now" />}
      >
        <StackedBars caption="Spend" bins={BINS} series={SERIES} format={dollars} held={{ name: "held", value: 24 }} />
      </Section>
      <Columns even>
        <Section title="Latency">
          <LineChart caption="Latency" bins={BINS} series={SERIES.slice(0, 2)} format={(ms) => `${ms.toFixed(0)} ms`} />
        </Section>
        <Section title="Distribution">
          <Histogram
            caption="Distribution"
            bins={BINS}
            counts={wave(4, 9)}
            format={(count) => count.toFixed(0)}
            marks={[{ name: "p95", at: 24 }]}
          />
        </Section>
        <Section title="Shares">
          <Donut
            caption="Shares"
            middle="$182"
            format={dollars}
            slices={SERIES.map(({ name, values }) => ({ name, value: values[3] ?? 0 }))}
          />
        </Section>
        <Section title="Requests, last 60 s">
          <div className="flex items-center gap-6">
            <RateBars label="Requests by second" counts={wave(0, 4).concat(wave(2, 5)).map(Math.round)} />
            <Meter share={0.72} label="Success" text="72 %" />
          </div>
        </Section>
      </Columns>
      <Section title="Attempts">
        <Waterfall
          label="Attempts"
          totalMs={1_786}
          spans={[
            { name: "Key, limits, hold", fromMs: 0, toMs: 2, kind: "ours", text: "1.6 ms" },
            { name: "1 · Borealis", fromMs: 2, toMs: 393, kind: "bad", text: "429 after 391 ms" },
            { name: "2 · Helios", fromMs: 394, toMs: 1_780, kind: "good", text: "1.39 s" },
          ]}
        />
      </Section>
    </>
  );
}
