import type { TreeFile } from './impact-request.ts'
import { formatLinePatch } from './line-patch.ts'

/** Returns the line difference of two files; for binary or large files, their sizes. */
export function formatFilePatch(from: TreeFile, to: TreeFile): string {
  const [before, after] = [decodeText(from), decodeText(to)]
  if (before !== undefined && after !== undefined) return formatLinePatch(before, after)
  const what = from.bytes && to.bytes ? 'binary' : 'large'
  return `… ${what} file: ${from.size} bytes, now ${to.size}`
}

/** Decodes bytes that are text: UTF-8 without NUL. */
function decodeText({ bytes }: TreeFile): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
