import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'

const reference = 'See docs/rollouts.md for the format.'

/** Errors in the plan of a rollout, and in its queries. */
export const rolloutIssues = defineIssues({
  ROLLOUT_SYNTAX: { text: (a: { why: string }) => `Could not parse the rollout: ${toPrintable(a.why)}` },
  ROLLOUT_SIZE: { text: (a: { what: string; most: string }) => `${a.what} exceeds the limit of ${a.most}` },
  ROLLOUT_KEY: {
    text: (a: { key: string; place: string; known: readonly string[] }) =>
      `Unknown key '${toPrintable(a.key.slice(0, 64))}' in ${a.place}`,
    hint: (a) => formatSuggestion(a.key.slice(0, 64), a.known) ?? `Known keys: ${a.known.join(', ')}.`,
  },
  ROLLOUT_VALUE: {
    text: (a: { place: string; expected: string; known?: readonly string[]; given?: string }) =>
      `${a.place} must be ${a.expected}`,
    hint: (a) => formatSuggestion(a.given?.slice(0, 64) ?? '', a.known ?? []) ?? reference,
  },
  ROLLOUT_MISSING: {
    text: (a: { place: string; what: string }) => `${a.place} requires ${a.what}`,
    hint: () => reference,
  },
  ROLLOUT_WAVE_TWICE: {
    text: (a: { name: string }) => `Two waves have the name '${a.name}'`,
    hint: () => "A wave named 'rest' is added if the last wave selects nodes.",
  },
  ROLLOUT_EMPTY_WAVES: {
    text: (a: { name: string }) =>
      `The wave '${a.name}' contains all remaining nodes, so that later waves would be empty`,
    hint: () => `Add 'nodes' to the wave, or move it to the end.`,
  },
  ROLLOUT_WINDOW: {
    text: (a: { given: string; why: string }) => `Invalid time window '${toPrintable(a.given.slice(0, 80))}': ${a.why}`,
    hint: () => "Use a form such as 'Mon-Thu 09:00-16:00 Europe/Paris'.",
  },
  ROLLOUT_QUERY: {
    text: (a: { where: string; why: string }) => `The query of ${a.where} failed: ${toPrintable(a.why)}`,
    hint: () => "Try the query with 'plumb query'.",
  },
  ROLLOUT_QUERY_SHAPE: {
    text: (a: { where: string }) => `The query of ${a.where} returned a row without a certname`,
    hint: () => "Select the certname: 'inventory[certname] { … }'.",
  },
  ROLLOUT_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read the default_rollout file ${a.file}: ${a.why}`,
  },
})
