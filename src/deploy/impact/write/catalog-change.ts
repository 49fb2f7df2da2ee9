import type { NodeChange } from '../node-change.ts'
import { countUnlistedChanges, formatParameterChange, formatValue } from './impact-parts.ts'

/** The layout of lines: `diff` starts each line with its sign, for syntax highlighting. */
export type ChangeShape = 'plain' | 'diff'

/** Formats a change as lines. */
export function formatChange(change: NodeChange, shape: ChangeShape): readonly string[] {
  const { added, removed, changed, moved, edges } = change
  const more = countUnlistedChanges(change)
  const isDiff = shape === 'diff'
  return [
    ...removed.map((resource) => `- ${resource}`),
    ...added.flatMap(({ resource, parameters }) => [
      `+ ${resource}`,
      ...parameters.map(({ name, value }) => `${isDiff ? '+' : ' '}   ${name} => ${formatValue(value)}`),
    ]),
    ...changed.flatMap(({ resource, parameters }) => [
      `~ ${resource}`,
      ...parameters.flatMap(formatParameterChange).map((line) => (isDiff ? moveSignToFront(line) : `    ${line}`)),
    ]),
    ...edges.removed.map((edge) => `- ${edge}`),
    ...edges.added.map((edge) => `+ ${edge}`),
    ...moved.map((resource) => `↕ ${resource}`),
    ...(more > 0 ? [`… ${more} more`] : []),
  ]
}

function moveSignToFront(line: string): string {
  const sign = line[2]
  const isChange = line.startsWith('  ') && (sign === '+' || sign === '-')
  return isChange ? `${sign}     ${line.slice(3)}` : `    ${line}`
}
