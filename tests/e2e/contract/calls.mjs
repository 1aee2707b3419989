// A good call of every route, in an order in which what is made is there before it is asked for.
const form = () => {
  const data = new FormData();
  data.append("file", new Blob(["city,people\nRome,3\nOslo,1\n"]), "cities.csv");
  return data;
};
const asked = (seen) => seen.asked.query_id;
const rested = (seen, name) => ["finished", "failed", "stopped"].includes(seen[name]?.status);

export const calls = [
  { route: "page_index", status: process.env.CONTRACT_PAGE ? 200 : 404 },
  { route: "page_asset", id: () => "none", status: 404, anyId: true },
  { route: "page_theme", status: process.env.CONTRACT_PAGE ? 200 : 404 },
  { route: "page_icon", status: process.env.CONTRACT_PAGE ? 200 : 404 },
  { route: "health_live" },
  { route: "health_ready" },
  { route: "metrics_get" },
  { route: "openapi_get" },
  { route: "me_get" },
  { route: "sign_in_get" }, // this server has no single sign-on; tests/e2e/oidc has
  { route: "sign_in_begin", status: 404 },
  { route: "sign_in_end", status: 404 },
  { route: "sign_in_leave", status: 400 },
  { route: "resource_get", status: 404 },
  { route: "resource_mcp", status: 404 },
  { route: "states_get" },
  { route: "settings_get" },
  { route: "settings_patch", body: () => ({ settings: { "agent.learn": false } }) },
  { route: "settings_test_model" },
  { route: "mcp_post", body: () => ({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } }) },
  { route: "mcp_get", status: 400 },
  { route: "mcp_delete", status: 400 },

  { route: "datasource_list" },
  { route: "datasource_try", body: () => ({ url: "postgres://nobody@192.0.2.1/none" }), status: 200 },
  { route: "datasource_post", body: () => ({ id: "third", url: `${process.env.CONTRACT_FOLDER}/third.db` }), status: 201 },
  { route: "datasource_test", id: () => "shop" },
  { route: "datasource_schema", id: () => "shop", query: "?format=json", badQueries: ["?format=picture"] },
  { route: "datasource_refresh", id: () => "shop" },
  { route: "datasource_changes", id: () => "shop" },
  { route: "datasource_suggestions", id: () => "shop" },
  { route: "dictionary_put", id: () => "shop", body: () => ({ table: "customers", description: "People", synonyms: ["clients"] }) },
  { route: "dictionary_get", id: () => "shop" },
  { route: "datasource_delete", id: () => "third" },

  { route: "session_post", body: () => ({ datasource: "shop", title: "A talk" }), status: 201 },
  { route: "session_patch", id: (seen) => seen.session_post.session_id, body: () => ({ title: "Another" }) },
  { route: "session_list", query: "?limit=10&offset=0", badQueries: ["?limit=0", "?offset=-1", "?limit=x"] },
  { route: "ask_post", as: "asked", body: (seen) => ({ query: "How many customers are there?", datasource: "shop", session_id: seen.session_post.session_id }), status: 202 },
  { route: "ask_get", id: asked, until: (seen) => rested(seen, "ask_get") },
  { route: "ask_stream", id: asked, query: "?last_event_id=1" },
  { route: "ask_rows", id: asked, query: "?limit=1&offset=0", badQueries: ["?limit=none", "?offset=-1"] },
  { route: "ask_export", id: asked, query: "?format=csv", badQueries: ["?format=pdf"] },
  { route: "ask_chart", id: asked },
  { route: "ask_explain", id: asked },
  { route: "ask_feedback", id: asked, body: () => ({ good: true }) },
  { route: "ask_stop", id: asked },
  { route: "ask_post", as: "back", body: () => ({ query: "Who are the best customers?", datasource: "shop" }), status: 202 },
  { route: "ask_get", as: "waits", id: (seen) => seen.back.query_id, until: (seen) => rested(seen, "waits") },
  { route: "ask_approve", id: (seen) => seen.back.query_id, body: () => ({ approved: true }), status: 409 },
  { route: "ask_answer", id: (seen) => seen.back.query_id, body: () => ({ text: "Most money" }), status: 202 },
  { route: "ask_get", as: "answered", id: (seen) => seen.back.query_id, until: (seen) => rested(seen, "answered") },
  { route: "ask_reading", id: asked, body: () => ({ reading: 2 }), status: 400 },
  { route: "ask_retry", id: (seen) => seen.back.query_id, status: 409 },
  { route: "sql_post", body: () => ({ sql: "SELECT 1 AS n", datasource: "shop" }), status: 202 },
  { route: "chat_post", body: (seen) => ({ message: "How many customers are there?", session_id: seen.session_post.session_id }) },
  { route: "chat_stream", body: (seen) => ({ message: "How many customers are there?", session_id: seen.session_post.session_id }) },
  { route: "session_get", id: (seen) => seen.session_post.session_id },
  { route: "session_stop", id: (seen) => seen.session_post.session_id },
  { route: "session_delete", id: (seen) => seen.session_post.session_id },

  { route: "openai_models" },
  { route: "openai_model", id: () => "shop" },
  { route: "openai_complete", body: () => ({ model: "shop", messages: [{ role: "user", content: "How many customers are there?" }] }) },
  { route: "openai_respond", body: () => ({ model: "shop", input: "How many customers are there?" }) },

  { route: "agents_health" },
  { route: "agents_start", body: () => ({ dataset_id: "shop" }) },
  { route: "agents_chat", body: (seen) => ({ session_id: seen.agents_start.session_id, message: "How many customers are there?" }) },
  { route: "agents_session", id: (seen) => seen.agents_start.session_id },
  { route: "agents_end", id: (seen) => seen.agents_start.session_id },

  { route: "dataset_post", body: form, status: 201 },
  { route: "dataset_list" },
  { route: "dataset_get", id: (seen) => seen.dataset_post.id },
  { route: "dataset_preview", id: (seen) => seen.dataset_post.id, query: "?rows=1", badQueries: ["?rows=0"] },
  { route: "dataset_put", id: (seen) => seen.dataset_post.id, body: form },
  { route: "dataset_delete", id: (seen) => seen.dataset_post.id },

  { route: "saved_post", body: () => ({ name: "All", sql: "SELECT COUNT(*) AS n FROM customers WHERE id > :least", datasource: "shop", parameters: [{ name: "least", type: "integer", default: 0 }] }), status: 201 },
  { route: "saved_list" },
  { route: "saved_get", id: (seen) => seen.saved_post.id },
  { route: "saved_patch", id: (seen) => seen.saved_post.id, body: () => ({ name: "Everybody" }) },
  { route: "saved_run", id: (seen) => seen.saved_post.id, body: () => ({ parameters: { least: 5 } }), status: 202 },
  { route: "saved_delete", id: (seen) => seen.saved_post.id },

  { route: "lesson_post", body: () => ({ kind: "table_mapping", schema_name: "clients", actual_name: "customers", datasource: "shop" }), status: 201 },
  { route: "lesson_list", query: "?datasource=shop" },
  { route: "lesson_patch", id: (seen) => seen.lesson_post.id, body: () => ({ enabled: false }) },
  { route: "lesson_export", query: "?datasource=shop&format=json", badQueries: ["?datasource=shop&format=xml"] },
  { route: "lesson_import", query: "?datasource=shop", body: (seen) => (typeof seen.lesson_export === "string" ? seen.lesson_export : JSON.stringify(seen.lesson_export)) },
  { route: "lesson_delete", id: (seen) => seen.lesson_post.id },
  { route: "taught_post", body: () => ({ question: "How many clients?", sql: "SELECT COUNT(*) FROM customers", datasource: "shop" }), status: 201 },
  { route: "taught_list", query: "?datasource=shop" },
  { route: "lesson_delete_taught", id: (seen) => seen.taught_post.id },

  { route: "history_list", query: "?limit=2&search=customers", badQueries: ["?limit=0"] },
  { route: "history_delete", id: asked },

  // last: from the first key on nobody comes in without one
  { route: "key_list" },
  { route: "key_post", body: () => ({ account: "boss", scopes: ["admin"], label: "contract" }), status: 201 },
  { route: "key_delete", id: (seen) => seen.key_post.id },
];
