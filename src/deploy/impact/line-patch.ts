import { structuredPatch } from 'diff'

/** Lines of a patch that are kept, and characters of one line. */
const mostLines = 400
const mostCharacters = 500
/** Lines that may differ before two texts are not compared any more: the effort grows with the square of it. */
const mostEdits = 2000
/** Bytes of two texts together that are compared line by line. */
const mostBytes = 2 * 1024 * 1024

/** The difference between two texts as a unified diff without its head; long ones are cut, and say so. */
export function linePatch(from: string, to: string): string {
  if (from.length + to.length > mostBytes) return sizes(from, to)
  const patch = structuredPatch('', '', from, to, '', '', { context: 2, maxEditLength: mostEdits })
  if (!patch) return sizes(from, to)
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line))
  return [...shown, ...(lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [])].join('\n')
}

function sizes(from: string, to: string): string {
  return `… ${from.length} characters, now ${to.length}: too different to show line by line`
}
