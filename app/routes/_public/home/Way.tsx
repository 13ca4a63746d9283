const STAGES = [
  ["Authenticate", "The key says who calls, and what it may do."],
  ["Route", "Suppliers inside its models and regions, best first."],
  ["Admit", "The most it can cost is held, everywhere or nowhere."],
  ["Call", "The next supplier is asked before the first word only."],
  ["Deliver", "Word by word, counted as they pass."],
  ["Settle", "The true cost is booked once. The rest is free again."],
] as const;

/** The six stages of a request, in words. */
export function Way() {
  return (
    <section className="mt-16 border-line border-t pt-8" aria-labelledby="way">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="way" className="text-5xl">
          A request is one straight line
        </h2>
        <a href="/architecture" className="link">
          See it as a picture
        </a>
      </div>
      <ol className="mt-6 grid gap-x-6 gap-y-6 sm:grid-cols-2 lg:grid-cols-6">
        {STAGES.map(([name, text], place) => {
          const isMoney = name === "Admit" || name === "Settle";
          return (
            <li key={name}>
              <span
                aria-hidden="true"
                className={`mb-3 block h-[5px] rounded-full ${isMoney ? (name === "Admit" ? "hatch" : "bg-accent") : "bg-line-strong"}`}
              />
              <h3 className="font-semibold tracking-normal">
                <span className="text-ink-3 tabular-nums">{place + 1}</span> {name}
              </h3>
              <p className="mt-1 text-md text-ink-2">{text}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
