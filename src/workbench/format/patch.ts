import { structuredPatch } from 'diff'
import { budgets } from '../../base/budgets/budgets.ts'

/** The change of a file as a patch in the unified format, for `git apply` and `patch -p1`. */
export function formatPatch(path: string, before: string, after: string): string {
  const name = path.replace(/^\/+/, '')
  const options = { context: 3, maxEditLength: budgets.format.edits.bound }
  const patch = structuredPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options)
  const hunks = patch?.hunks ?? [replaceAll(before, after)]
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${formatRange(oldStart, oldLines)} +${formatRange(newStart, newLines)} @@`,
    ...changed,
  ])
  return `${[`--- a/${name}`, `+++ b/${name}`, ...lines].join('\n')}\n`
}

function formatRange(start: number, count: number): string {
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`
}

/** A single hunk that replaces all lines. */
function replaceAll(before: string, after: string) {
  const old = splitLines(before)
  const next = splitLines(after)
  const lines = [...old.map((each) => `-${each}`), ...next.map((each) => `+${each}`)]
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: next.length, lines }
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
