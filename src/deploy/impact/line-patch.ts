import { structuredPatch } from 'diff'

/** Maximum number of lines of a patch, and maximum number of characters of a line. */
const mostLines = 400
const mostCharacters = 500
/** Maximum number of differing lines; the cost of a comparison is quadratic in it. */
const mostEdits = 2000
/** Maximum combined size in bytes of two texts that are compared line by line. */
const mostBytes = 2 * 1024 * 1024

/** The difference between two texts as a unified diff without header; a long diff is truncated, with a note. */
export function formatLinePatch(from: string, to: string): string {
  if (from.length + to.length > mostBytes) return formatSizes(from, to)
  const patch = structuredPatch('', '', from, to, '', '', { context: 2, maxEditLength: mostEdits })
  if (!patch) return formatSizes(from, to)
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line))
  return [...shown, ...(lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [])].join('\n')
}

function formatSizes(from: string, to: string): string {
  return `… ${from.length} characters, now ${to.length}: too different to print line by line`
}
