import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { branches } from './git/choose-branches.ts'

/** An environment that is there. */
interface Known {
  readonly name: string
  /** The branch or the folder of the environment. */
  readonly ref: string
}

/** Environments that a message names at most: a server may have a thousand. */
const maxNamed = 10
/** Characters of a name that is compared with others for a hint. */
const maxComparedLength = 64

/** A hint for who asks for an environment that is not there: the nearest name, and some of those that are. */
export function hintAboutAbsent(name: string, known: readonly Known[], repository?: string): string {
  const names = known.map((each) => each.name).filter(({ length }) => length <= maxComparedLength)
  const near = name.length <= maxComparedLength ? didYouMean(name, names) : undefined
  const all = repository === undefined ? 'The environments' : `The branches that ${repository} serves`
  const shown = known.slice(0, maxNamed).map((each) => shortened(labelOf(each)))
  const more = known.length > maxNamed ? ` and ${known.length - maxNamed} more` : ''
  const there = known.length === 0 ? `${all} are none.` : `${all} are ${shown.join(', ')}${more}.`
  return printable(near === undefined ? there : `${near} ${there}`)
}

/** The environment, with its branch where that has another name. */
function labelOf({ name, ref }: Known): string {
  const branch = ref.startsWith(branches) ? ref.slice(branches.length) : name
  return branch === name ? name : `${name} (${branch})`
}

function shortened(label: string): string {
  return label.length > maxComparedLength ? `${label.slice(0, maxComparedLength)}…` : label
}
