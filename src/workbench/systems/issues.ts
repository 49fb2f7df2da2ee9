import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'

/** Issues of operating systems and their facts. */
export const systemIssues = defineIssues({
  FACTERDB_ABSENT: {
    text: (a: { folders: readonly string[] }) => `Could not find the gem facterdb in ${a.folders.join(', ')}`,
    hint: () => "Run 'plumb facts db update', or give the facts in the test and `on => none`.",
  },
  FACTERDB_UNREADABLE: { text: (a: { file: string; why: string }) => `Could not read facts from ${a.file}: ${a.why}` },
  SYSTEMS_ABSENT: {
    text: (_: object) => 'FacterDB contains no facts of the systems in metadata.json',
    hint: () => "Run 'plumb facts db update', or give the facts in the test and `on => none`.",
  },
  SYSTEM_UNKNOWN: {
    text: (a: { name: string; known: readonly string[] }) => `FacterDB contains no facts of '${a.name}'`,
    hint: (a) => formatSuggestion(`${a.name}-x86_64`, a.known) ?? 'Names have the form debian-12-x86_64.',
  },
})
