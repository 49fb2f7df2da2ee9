import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { branches } from './git/branch-choice.ts'

/** An existing environment. */
interface Known {
  readonly name: string
  /** The branch or the folder of the environment. */
  readonly ref: string
}

/** Largest number of environments to list in a message. */
const maxNamed = 10
/** Longest name, in characters, to compare with others for a hint. */
const maxComparedLength = 64

/** Returns a hint for a request for a missing environment: the most similar name, and some existing names. */
export function suggestEnvironments(name: string, known: readonly Known[], repository?: string): string {
  const names = known.map((each) => each.name).filter(({ length }) => length <= maxComparedLength)
  const near = name.length <= maxComparedLength ? formatSuggestion(name, names) : undefined
  const all = repository === undefined ? 'Available environments' : `Branches served from ${repository}`
  const shown = known.slice(0, maxNamed).map((each) => truncateLabel(formatEnvironmentLabel(each)))
  const more = known.length > maxNamed ? ` and ${known.length - maxNamed} more` : ''
  const there = known.length === 0 ? `${all}: none.` : `${all}: ${shown.join(', ')}${more}.`
  return toPrintable(near === undefined ? there : `${near} ${there}`)
}

/** Returns the name of the environment, followed by its branch if the branch has a different name. */
function formatEnvironmentLabel({ name, ref }: Known): string {
  const branch = ref.startsWith(branches) ? ref.slice(branches.length) : name
  return branch === name ? name : `${name} (${branch})`
}

function truncateLabel(label: string): string {
  return label.length > maxComparedLength ? `${label.slice(0, maxComparedLength)}…` : label
}
