/** Result of a call: money from the settlement, times in milliseconds. Null: the call did not get that far. */
export type Receipt = {
  request_id: string;
  status: number;
  error_code: string | null;
  cost_usd: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  first_byte_ms: number | null;
  total_ms: number;
  supplier: string | null;
  region: string | null;
};
