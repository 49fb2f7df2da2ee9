import { printable } from '../base/printable.ts'
import { didYouMean } from '../base/suggest.ts'
import { branches } from './choose-branches.ts'

/** An environment that is there. */
interface Known {
  readonly name: string
  /** The branch that it is of, or its folder. */
  readonly ref: string
}

/** How many are named: a server may have a thousand. */
const mostNamed = 10
/** Of a name, in characters; longer ones are compared with none. */
const longestName = 64

/** A hint for who asks for an environment that is not there: the nearest name, and some of those that are. */
export function hintAboutAbsent(name: string, known: readonly Known[], repository?: string): string {
  const names = known.map((each) => each.name).filter(({ length }) => length <= longestName)
  const near = name.length <= longestName ? didYouMean(name, names) : undefined
  const all = repository === undefined ? 'The environments' : `The branches that ${repository} serves`
  const shown = known.slice(0, mostNamed).map((each) => shortened(labelOf(each)))
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : ''
  const there = known.length === 0 ? `${all} are none.` : `${all} are ${shown.join(', ')}${more}.`
  return printable(near === undefined ? there : `${near} ${there}`)
}

/** The environment, with its branch where that has another name. */
function labelOf({ name, ref }: Known): string {
  const branch = ref.startsWith(branches) ? ref.slice(branches.length) : name
  return branch === name ? name : `${name} (${branch})`
}

function shortened(label: string): string {
  return label.length > longestName ? `${label.slice(0, longestName)}…` : label
}
