import { isUtf8 } from 'node:buffer'
import { createTwoFilesPatch } from 'diff'

/** The difference between two contents in the format of `diff -u`. */
export function formatUnifiedDiff(path: string, before: Uint8Array, after: Uint8Array): string {
  const old = Buffer.from(before)
  const next = Buffer.from(after)
  if (old.equals(next)) return ''
  if (!isUtf8(old) || !isUtf8(next) || old.includes(0) || next.includes(0))
    return `Binary files ${path} and the new content differ\n`
  const patch = createTwoFilesPatch(path, path, old.toString(), next.toString(), 'is', 'should', { context: 3 })
  return patch
    .replace(/^(?:Index: .*\n)?=+\n/, '')
    .replace(/^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/gm, (_, oldAt, oldCount, newAt, newCount) => {
      const formatRange = (at: string, count: string) =>
        count === '1' ? at : `${count === '0' ? Number(at) : at},${count}`
      return `@@ -${formatRange(oldAt, oldCount)} +${formatRange(newAt, newCount)} @@`
    })
}
