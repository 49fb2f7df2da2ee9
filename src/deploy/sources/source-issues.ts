import { defineIssues } from '../../base/issue.ts'
import { didYouMean } from '../../base/text/suggest.ts'

/** Errors about the sources of code. */
export const sourceIssues = defineIssues({
  REPOSITORY_AND_SOURCES: {
    text: (a: { repository: string }) => `code_repo (${a.repository}) and code_sources are both set`,
    hint: (a) => `Take code_repo out, and name the repository as a source, with 'remote: ${a.repository}'.`,
  },
  SOURCES_UNREADABLE: {
    text: (a: { file: string; why: string }) => `The file of code_sources, ${a.file}, cannot be read: ${a.why}`,
  },
  UNKNOWN_SOURCE: {
    text: (a: { name: string; known: readonly string[] }) => `There is no source '${a.name}'`,
    hint: (a) => [didYouMean(a.name, a.known), `The sources are ${a.known.join(', ')}.`].filter(Boolean).join(' '),
  },
  NO_SOURCE_OF_ENVIRONMENT: {
    text: (a: { environment: string; known: readonly string[] }) => `No source has an environment '${a.environment}'`,
    hint: (a) => didYouMean(a.environment, a.known),
  },
  NO_SOURCES: {
    text: (_: object) => 'The server has no sources: it serves a repository of its own, or folders',
    hint: () => 'The setting code_sources names a file of sources.',
  },
  FROZEN_UNREADABLE: {
    text: (a: { file: string; why: string }) =>
      `What is known of frozen environments, ${a.file}, cannot be read: ${a.why}`,
    hint: (a) => `Move ${a.file} away: all environments then follow their refs.`,
  },
  NOT_FROZEN: { text: (a: { environment: string }) => `Environment '${a.environment}' is not frozen` },
})
