/** The rights of tokens in words for people, by scope. */
export const tokenScopes = {
  query: 'ask the store and see the pages; it changes nothing',
  fetch: 'have the server fetch code from its sources; of what comes it decides nothing',
  'code-read': 'clone and fetch code over HTTPS',
  'code-push': 'the same, and push it: who pushes decides what nodes apply',
  metrics: 'read the figures of the server: /metrics, /metrics/v2, and the status at level debug',
} as const satisfies Readonly<Record<string, string>>

/** A right of a token. */
export type TokenScope = keyof typeof tokenScopes

/** True for the word of a scope that is known here. */
export function isTokenScope(word: string): word is TokenScope {
  return Object.hasOwn(tokenScopes, word)
}
