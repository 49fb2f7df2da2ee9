import type { NodeChange } from '../node-change.ts'
import { parameterLines, unlisted, valueText } from './words.ts'

/** All of a change as lines of a diff: each begins with its sign. */
export function changeWords(change: NodeChange): readonly string[] {
  const { added, removed, changed, moved, edges } = change
  const more = unlisted(change)
  return [
    ...removed.map((resource) => `- ${resource}`),
    ...added.flatMap(({ resource, parameters }) => [
      `+ ${resource}`,
      ...parameters.map(({ name, value }) => `+     ${name} => ${valueText(value)}`),
    ]),
    ...changed.flatMap(({ resource, parameters }) => [
      `~ ${resource}`,
      ...parameters.flatMap(parameterLines).map(signed),
    ]),
    ...edges.removed.map((edge) => `- ${edge}`),
    ...edges.added.map((edge) => `+ ${edge}`),
    ...moved.map((resource) => `↕ ${resource}`),
    ...(more > 0 ? [`… ${more} more`] : []),
  ]
}

/** A line of a patch keeps its sign in front, where a diff is coloured by it. */
function signed(line: string): string {
  const sign = line[2]
  const isChange = line.startsWith('  ') && (sign === '+' || sign === '-')
  return isChange ? `${sign}     ${line.slice(3)}` : `    ${line}`
}
