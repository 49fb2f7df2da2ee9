import { linePatch } from './line-patch.ts'
import type { TreeFile } from './order.ts'

/** The difference between two files in lines; of one that is no text, or large, the sizes. */
export function filePatch(from: TreeFile, to: TreeFile): string {
  const [before, after] = [textOf(from), textOf(to)]
  if (before !== undefined && after !== undefined) return linePatch(before, after)
  const what = from.bytes && to.bytes ? 'binary' : 'large'
  return `… ${what} file: ${from.size} bytes, now ${to.size}`
}

/** Bytes as text, if they are text: UTF-8 without NUL. */
function textOf({ bytes }: TreeFile): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
