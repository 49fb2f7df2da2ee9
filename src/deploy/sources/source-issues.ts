import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'

/** Errors reported by code sources. */
export const sourceIssues = defineIssues({
  REPOSITORY_AND_SOURCES: {
    text: (a: { repository: string }) => `code_repo (${a.repository}) and code_sources are both set`,
    hint: (a) => `Remove code_repo, and add the repository as a source with 'remote: ${a.repository}'.`,
  },
  SOURCES_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read the code_sources file ${a.file}: ${a.why}`,
  },
  UNKNOWN_SOURCE: {
    text: (a: { name: string; known: readonly string[] }) => `Could not find source '${a.name}'`,
    hint: (a) =>
      [formatSuggestion(a.name, a.known), `Available sources: ${a.known.join(', ')}.`].filter(Boolean).join(' '),
  },
  NO_SOURCE_OF_ENVIRONMENT: {
    text: (a: { environment: string; known: readonly string[] }) => `No source has an environment '${a.environment}'`,
    hint: (a) => formatSuggestion(a.environment, a.known),
  },
  NO_SOURCES: {
    text: (_: object) => 'The server has no code sources: it serves a local repository or directories',
    hint: () => 'Set code_sources to a file of code sources.',
  },
  FROZEN_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read the list of frozen environments, ${a.file}: ${a.why}`,
    hint: (a) => `Move ${a.file} away to unfreeze all environments.`,
  },
  NOT_FROZEN: { text: (a: { environment: string }) => `Environment '${a.environment}' is not frozen` },
})
