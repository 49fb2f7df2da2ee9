/** Descriptions of token scopes. */
export const tokenScopes = {
  query: 'query the store and view the console; read-only',
  fetch: 'trigger a fetch of the code sources, without control over their content',
  'code-read': 'clone and fetch code over HTTPS',
  'code-push': 'clone, fetch and push code; pushed code determines what nodes apply',
  run: 'order nodes to run their agents, and read the results',
  metrics: 'read server metrics: /metrics, /metrics/v2, and the status at level debug',
} as const satisfies Readonly<Record<string, string>>

/** Name of a token scope. */
export type TokenScope = keyof typeof tokenScopes

/** True if the scope is known to this version. */
export function isTokenScope(word: string): word is TokenScope {
  return Object.hasOwn(tokenScopes, word)
}
