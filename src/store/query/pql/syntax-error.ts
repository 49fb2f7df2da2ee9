import type { PqlScanner } from './scanner.ts'

/**
 * Formats the message of a syntax error: the farthest position, its line with a caret, and the
 * tokens expected there.
 */
export function formatSyntaxError({ text, farthest, expected }: PqlScanner): string {
  const before = text.slice(0, farthest).split('\n')
  const column = before.at(-1)!.length
  const line = text.split('\n')[before.length - 1]!.trimEnd()
  const place = `line ${formatNumber(before.length)}, column ${formatNumber(column + 1)}`
  const title = expected.size === 1 ? 'Expected:' : 'Expected one of:\n'
  return `PQL parse error at ${place}:\n\n${line}\n${' '.repeat(column)}^\n\n${[title, ...expected].join('\n')}\n`
}

function formatNumber(number: number): string {
  return number.toLocaleString('en-US')
}
