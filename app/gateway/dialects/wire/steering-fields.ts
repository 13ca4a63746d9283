import type { Supplier } from "~/domain/catalogue/shared";

/**
 * Fields that are removed because they would give clients control over the supplier. If the supplier is itself a
 * gateway, some of them set its region, credentials, headers or model, past gw's routing, prices and permissions.
 * Others make a supplier read the operator's data, or run a service that is billed apart from tokens and has no price
 * in gw.
 */
const STEERING_FIELDS: ReadonlySet<string> = new Set(
  [
    // Destinations: addresses and deployments.
    "api_base base_url api_type api_version azure_endpoint azure_deployment deployment_id custom_llm_provider proxies",
    "region_name aws_region_name aws_bedrock_runtime_endpoint aws_sts_endpoint vertex_location vertex_ai_location",
    // Identity: credentials and billing accounts.
    "api_key azure_ad_token organization organization_id user_config litellm_credential_name",
    "aws_access_key_id aws_secret_access_key aws_session_token aws_session_name aws_profile_name aws_role_name",
    "aws_web_identity_token vertex_credentials vertex_ai_credentials vertex_project vertex_ai_project",
    // Additions to the request: headers, body, query.
    "headers default_headers extra_headers extra_body extra_query query_params default_query",
    // Replacements: other models, stored settings, mock answers.
    "context_window_fallbacks content_policy_fallbacks fallbacks model_list router_settings_override",
    "litellm_params litellm_metadata mock_response mock_tool_calls mock_timeout mock_testing_fallbacks",
    "models route provider preset deferred",
    // Billed services beside the model: searches, plugins, tools of compound models.
    "search_parameters enable_search search_options web_search enable_enhancement plugins transforms compound_custom",
    // Data that the operator's account may read.
    "data_sources datasources enhancements",
  ].flatMap((names) => names.split(" ")),
);

/** Some gateways parse JSON without regard to case, so names in capitals are compared in lower case. */
const SMALL = /^[a-z0-9_]*$/;

/** Whether a field would steer the supplier. Suppliers marked as gateways, and the sandbox, get every field. */
export function steers(field: string, { kind }: Pick<Supplier, "kind">): boolean {
  if (kind === "gateway" || kind === "sandbox") return false;
  if (STEERING_FIELDS.has(field)) return true;
  return !SMALL.test(field) && STEERING_FIELDS.has(field.toUpperCase().toLowerCase());
}
