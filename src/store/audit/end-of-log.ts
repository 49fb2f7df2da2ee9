import { emptyChain, type Head, hashOf, readLine } from './chain.ts'
import { linesOf, type Segment } from './segments.ts'

/** The end of a log. */
export interface LogEnd {
  readonly head: Head
  /** The last segment with a whole line; none in a log without records. */
  readonly segment: Segment | undefined
  /** Bytes of its whole lines. */
  readonly size: number
  /** Bytes behind them: of a line that a crash cut off. */
  readonly torn: number
  /** True where a whole line does not fit the one before it; nothing of that is mended. */
  readonly broken: boolean
}

/**
 * The end of a log, from where its chain goes on. Only what no line end follows is taken for torn: all else was written
 * whole once, and is evidence, whatever was done to it.
 */
export async function endOfLog(segments: readonly Segment[]): Promise<LogEnd> {
  let torn = 0
  for (const segment of segments.toReversed()) {
    const end = await endOf(segment)
    torn += end.torn
    // A segment whose first line was cut off is begun anew.
    if (end.size > 0) return { ...end, torn, segment }
  }
  return { head: emptyChain, segment: undefined, size: 0, torn, broken: false }
}

async function endOf(segment: Segment): Promise<Omit<LogEnd, 'segment'>> {
  let head: Head = { seq: segment.first - 1, hash: emptyChain.hash }
  let size = 0
  let torn = 0
  let broken = false
  for await (const { text, bytes, isWhole } of linesOf(segment.path)) {
    if (!isWhole) {
      torn = bytes
      break
    }
    const line = readLine(text)
    const isFirst = size === 0
    size += bytes
    // Lines are counted, whatever numbers they have: the next segment is named by them.
    const seq = head.seq + 1
    if (!line) broken = true
    else {
      const { record, json, hash } = line
      const previous = isFirst && record.kind === 'segment' ? record.previous : head.hash
      if (record.seq !== seq || hashOf(previous, json) !== hash) broken = true
    }
    head = { seq, hash: line?.hash ?? head.hash }
  }
  return { head, size, torn, broken }
}
