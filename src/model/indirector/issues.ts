import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'

/** Errors of routes and requests. */
export const indirectorIssues = defineIssues({
  UNKNOWN_TERMINUS: {
    text: (a: { terminus: string; indirection: string; known: readonly string[] }) =>
      `Could not find terminus ${a.terminus} for indirection ${a.indirection}`,
    hint: (a) => formatSuggestion(a.terminus, a.known) ?? `Available: ${a.known.join(', ')}.`,
  },
  TERMINUS_WITHOUT_STORE: {
    text: (a: { what: string }) => `The puppetdb terminus of ${a.what} requires a store`,
    hint: () => "Set 'store' to sqlite or to the URL of a PostgreSQL server.",
  },
  UNSUPPORTED_OPERATION: {
    text: (a: { operation: string; indirection: string; terminus: string }) =>
      `The ${a.terminus} terminus of ${a.indirection} does not support ${a.operation}`,
  },
  INVALID_KEY: {
    text: (a: { indirection: string; key: string }) =>
      `Invalid key for ${a.indirection}: ${JSON.stringify(a.key.slice(0, 200))}`,
    hint: () =>
      'A name may contain letters, digits, `.`, `_`, `-`, `:`, `@` and spaces, and must not begin with a dot.',
  },
  UNKNOWN_INDIRECTION: {
    // Puppet: indirector.rb, configure_routes
    text: (a: { indirection: string; known: readonly string[] }) => `Indirection ${a.indirection} does not exist`,
    hint: (a) => formatSuggestion(a.indirection, a.known) ?? `Available: ${a.known.join(', ')}.`,
  },
  UNKNOWN_ROUTES_SECTION: {
    text: (a: { section: string; known: readonly string[] }) => `Unknown section '${a.section}'`,
    hint: (a) => formatSuggestion(a.section, a.known) ?? "Use 'server' for the server, or the name of a command.",
  },
  INVALID_ROUTES: {
    // Puppet: application.rb, configure_indirector_routes
    text: (a: { file: string; reason: string; hint: string | undefined }) =>
      `Could not configure routes from ${a.file}: ${a.reason}`,
    hint: (a) => a.hint,
  },
})
