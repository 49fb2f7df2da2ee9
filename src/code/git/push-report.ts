import { toPrintable } from '../../base/text/printable.ts'
import { encodePktLine, flushPkt } from './pkt-line.ts'
import type { PushHead } from './push-commands.ts'

/** Numbers of the side bands. Documentation/gitprotocol-capabilities.txt. */
const bands = { data: 1, progress: 2 } as const
/** Number of bytes in one line of a band: the smallest limit among all clients. */
const bandBytes = 990

/** Reasons for rejecting the refs of a push. */
export interface PushRefusal {
  /** Short reason by ref; the client's git prints it in parentheses after the ref. */
  readonly reasons: ReadonlyMap<string, string>
  /** The reason for all other refs of the push. */
  readonly otherwise: string
  /** Lines for the user; the client prints them with the prefix `remote:`. */
  readonly lines: readonly string[]
}

/**
 * Builds the reply to a push that is rejected before git receives it. The reply has git's format
 * and contains a reason for each ref.
 */
export function buildPushRejection(
  { commands, capabilities }: PushHead,
  { reasons, otherwise, lines }: PushRefusal,
): Buffer {
  const isTold = capabilities.has('report-status') || capabilities.has('report-status-v2')
  const status = commands.map(({ ref }) => encodePktLine(`ng ${ref} ${reasons.get(ref) ?? otherwise}\n`))
  const report = isTold ? Buffer.concat([encodePktLine('unpack ok\n'), ...status, flushPkt]) : Buffer.alloc(0)
  if (!capabilities.has('side-band-64k')) return report
  const said = lines.map((line) => Buffer.from(`${toPrintable(line)}\n`))
  return Buffer.concat([...encodeBand(bands.progress, said), ...encodeBand(bands.data, [report]), flushPkt])
}

function encodeBand(band: number, texts: readonly Buffer[]): Buffer[] {
  const all = Buffer.concat(texts)
  const lines: Buffer[] = []
  for (let at = 0; at < all.length; at += bandBytes)
    lines.push(encodePktLine(Buffer.concat([Buffer.from([band]), all.subarray(at, at + bandBytes)])))
  return lines
}
