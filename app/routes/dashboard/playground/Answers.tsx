import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { classNames } from "~/ui/class-names";
import { Count, Duration, Money } from "~/ui/Figures";
import { DetailList, Section } from "~/ui/page-parts";
import { parseUsd } from "~/values/money";
import type { Receipt } from "./receipt";
import type { Column } from "./use-answers";

/** The answers of the models side by side, each with cost and duration. */
export function Answers({ columns }: { columns: readonly Column[] }) {
  const { t } = useTranslation("playground");
  if (columns.length === 0)
    return (
      <Section title={t("answers")}>
        <p className="text-ink-2">{t("empty")}</p>
      </Section>
    );
  return (
    <section aria-label={t("answers")} className="grid items-start gap-x-3.5 lg:auto-cols-fr lg:grid-flow-col">
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the column
        <Section key={at} title={column.model}>
          <Conversation column={column} />
        </Section>
      ))}
    </section>
  );
}

function Conversation({ column: { turns, asked, answer, state } }: { column: Column }) {
  const { t } = useTranslation("playground");
  const all = [...turns, { role: "user" as const, content: asked }];
  return (
    <div className="grid min-w-0 gap-3">
      {all.map(({ role, content }, at) =>
        role === "user" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended
          <Asked key={at} content={content} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended
          <p key={at} className="whitespace-pre-wrap break-words">
            {content}
          </p>
        ),
      )}
      <div aria-live="polite" aria-busy={state === "running"} className="grid gap-2">
        {answer.text === "" ? null : <p className="whitespace-pre-wrap break-words">{answer.text}</p>}
        {answer.tools === "" ? null : (
          <p className="mono whitespace-pre-wrap break-words">
            {t("toolCall")}: {answer.tools}
          </p>
        )}
        {answer.error === null ? null : (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
            {answer.error}
          </p>
        )}
        {state === "done" ? null : (
          <p className="text-ink-2">
            {state === "running" ? t(answer.text === "" ? "waiting" : "streaming") : t(state)}
          </p>
        )}
      </div>
      {answer.receipt === null ? null : <ReceiptOf receipt={answer.receipt} />}
    </div>
  );
}

/** Length from which a question scrolls in a narrow column. */
const LONG = { letters: 400, lines: 12 };

/** The user's question. A long text scrolls in its frame, so that the answer stays visible. */
function Asked({ content }: { content: string }) {
  const { t } = useTranslation("playground");
  const isLong = content.length > LONG.letters || content.split("\n").length > LONG.lines;
  return (
    <section
      // A region, which screen readers list, only if there is something to scroll.
      aria-label={isLong ? t("you") : undefined}
      tabIndex={isLong ? 0 : undefined}
      className={classNames("rounded-lg bg-sunken px-3 py-2", isLong && "max-h-72 overflow-y-auto")}
    >
      <p className="text-xs text-ink-2">{t("you")}</p>
      <p className="whitespace-pre-wrap break-words">{content}</p>
    </section>
  );
}

const None = () => <span className="text-ink-3">–</span>;

function ReceiptOf({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("playground");
  const { cost_usd, first_byte_ms, input_tokens, output_tokens, supplier, region, request_id } = receipt;
  return (
    <DetailList
      rows={[
        [t("cost"), cost_usd === null ? <None key="cost" /> : <Money key="cost" nano={parseUsd(cost_usd)} />],
        [t("firstByte"), first_byte_ms === null ? <None key="first" /> : <Duration key="first" ms={first_byte_ms} />],
        [t("total"), <Duration key="total" ms={receipt.total_ms} />],
        [
          t("tokens"),
          input_tokens === null || output_tokens === null ? (
            <None key="tokens" />
          ) : (
            <span key="tokens">
              <Count value={input_tokens} /> / <Count value={output_tokens} />
            </span>
          ),
        ],
        [t("supplier"), supplier === null ? <None key="supplier" /> : `${supplier} · ${region}`],
        [
          t("request"),
          <a
            key="request"
            className="mono break-all underline"
            href={href("/dashboard/request-log/:requestId", { requestId: request_id })}
          >
            {request_id}
          </a>,
        ],
      ]}
    />
  );
}
