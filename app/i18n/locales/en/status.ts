/** The public status page. */
export default {
  title: "Status",
  description:
    "How the models have answered over the last 90 days, by region, measured on the requests that went through this gateway.",
  empty: "Not enough requests yet. A model appears here once it has answered at least 50 requests in a day.",
  how: "Uptime is the share of requests that a supplier answered. Days with fewer than 50 requests are not shown. Updated every five minutes.",
  uptime: "{{share}} uptime",
  firstByte: "first byte {{time}}",
  latency: "{{time}} in total",
  bars: "{{region}}: {{share}} uptime over 90 days",
  daysAgo: "90 days ago",
  today: "Today",
};
