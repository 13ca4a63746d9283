import type { Supplier } from "~/domain/catalogue/shared";

/**
 * Fields by which clients of a gateway tell it where to send a request, as whom, or what to send instead. A supplier may
 * itself be such a gateway: then a client of ours would choose its region, its bill, its headers or another model than
 * the one that was routed, priced and allowed here. Others make a supplier read what is the operator's, or do what is billed
 * apart from tokens and has no price here.
 */
const STEERING_FIELDS: ReadonlySet<string> = new Set(
  [
    // Where to: addresses and deployments.
    "api_base base_url api_type api_version azure_endpoint azure_deployment deployment_id custom_llm_provider proxies",
    "region_name aws_region_name aws_bedrock_runtime_endpoint aws_sts_endpoint vertex_location vertex_ai_location",
    // As whom: credentials, and whom to bill.
    "api_key azure_ad_token organization organization_id user_config litellm_credential_name",
    "aws_access_key_id aws_secret_access_key aws_session_token aws_session_name aws_profile_name aws_role_name",
    "aws_web_identity_token vertex_credentials vertex_ai_credentials vertex_project vertex_ai_project",
    // What to send: headers, and more of a body.
    "headers default_headers extra_headers extra_body extra_query query_params default_query",
    // Instead of what was asked for: other models, stored settings, an answer that was made up.
    "context_window_fallbacks content_policy_fallbacks fallbacks model_list router_settings_override",
    "litellm_params litellm_metadata mock_response mock_tool_calls mock_timeout mock_testing_fallbacks",
    "models route provider preset deferred",
    // What the supplier is to look up or run beside the model, and bills: searches, plugins, tools of compound models.
    "search_parameters enable_search search_options web_search enable_enhancement plugins transforms compound_custom",
    // With whose rights it does so: data that the operator's account may read.
    "data_sources datasources enhancements",
  ].flatMap((names) => names.split(" ")),
);

/** Gateways read JSON in languages that do not tell capital letters from small ones. */
const SMALL = /^[a-z0-9_]*$/;

/** Whether a field would steer the supplier. One that is marked as a gateway, and the sandbox, get what the client wrote. */
export function steers(field: string, { kind }: Pick<Supplier, "kind">): boolean {
  if (kind === "gateway" || kind === "sandbox") return false;
  if (STEERING_FIELDS.has(field)) return true;
  return !SMALL.test(field) && STEERING_FIELDS.has(field.toUpperCase().toLowerCase());
}
