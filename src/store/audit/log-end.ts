import { type ChainHead, emptyChain, hashRecord, parseChainLine } from './chain.ts'
import { type AuditSegment, readFileLines } from './segments.ts'

/** The end of an audit log, where the next record is added. */
export interface LogEnd {
  readonly head: ChainHead
  /** The last segment with a complete line; `undefined` if the log has no records. */
  readonly segment: AuditSegment | undefined
  /** Bytes of the segment's complete lines. */
  readonly size: number
  /** Number of bytes after the last complete line: an incomplete line that a crash left. */
  readonly torn: number
  /** True if the hash of a complete line does not match the previous line; such a line is never repaired. */
  readonly broken: boolean
}

/**
 * Finds the end of a log. Only bytes without a line end are attributed to a crash. Complete lines
 * were written by the server and are evidence, even if they were altered later.
 */
export async function findLogEnd(segments: readonly AuditSegment[]): Promise<LogEnd> {
  let torn = 0
  for (const segment of segments.toReversed()) {
    const end = await findSegmentEnd(segment)
    torn += end.torn
    // The next start rewrites a segment whose first line is incomplete.
    if (end.size > 0) return { ...end, torn, segment }
  }
  return { head: emptyChain, segment: undefined, size: 0, torn, broken: false }
}

async function findSegmentEnd(segment: AuditSegment): Promise<Omit<LogEnd, 'segment'>> {
  let head: ChainHead = { seq: segment.first - 1, hash: emptyChain.hash }
  let size = 0
  let torn = 0
  let broken = false
  for await (const { text, bytes, isWhole } of readFileLines(segment.path)) {
    if (!isWhole) {
      torn = bytes
      break
    }
    const line = parseChainLine(text)
    const isFirst = size === 0
    size += bytes
    // The lines are counted, because the count names the next segment and the numbers in the lines
    // may be wrong.
    const seq = head.seq + 1
    if (!line) broken = true
    else {
      const { record, json, hash } = line
      const previous = isFirst && record.kind === 'segment' ? record.previous : head.hash
      if (record.seq !== seq || hashRecord(previous, json) !== hash) broken = true
    }
    head = { seq, hash: line?.hash ?? head.hash }
  }
  return { head, size, torn, broken }
}
