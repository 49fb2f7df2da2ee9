import { printable } from '../../base/text/printable.ts'
import { flushPkt, pktLine } from './pkt-line.ts'
import type { PushHead } from './push-commands.ts'

/** The bands of a side band. Documentation/gitprotocol-capabilities.txt. */
const bands = { data: 1, progress: 2 } as const
/** Bytes of one line within a band: the least that any client takes. */
const bandBytes = 990

/** Why refs of a push are refused. */
export interface PushRefusal {
  /** The reason by ref, short: it stands in brackets behind the ref. */
  readonly reasons: ReadonlyMap<string, string>
  /** The reason of all other refs of the push. */
  readonly otherwise: string
  /** Lines for people, which their git marks with `remote:`. */
  readonly lines: readonly string[]
}

/** The answer to a push of which git itself gets nothing, as git's own would be: every ref has its reason. */
export function refusedPush({ commands, capabilities }: PushHead, { reasons, otherwise, lines }: PushRefusal): Buffer {
  const isTold = capabilities.has('report-status') || capabilities.has('report-status-v2')
  const status = commands.map(({ ref }) => pktLine(`ng ${ref} ${reasons.get(ref) ?? otherwise}\n`))
  const report = isTold ? Buffer.concat([pktLine('unpack ok\n'), ...status, flushPkt]) : Buffer.alloc(0)
  if (!capabilities.has('side-band-64k')) return report
  const said = lines.map((line) => Buffer.from(`${printable(line)}\n`))
  return Buffer.concat([...inBand(bands.progress, said), ...inBand(bands.data, [report]), flushPkt])
}

function inBand(band: number, texts: readonly Buffer[]): Buffer[] {
  const all = Buffer.concat(texts)
  const lines: Buffer[] = []
  for (let at = 0; at < all.length; at += bandBytes)
    lines.push(pktLine(Buffer.concat([Buffer.from([band]), all.subarray(at, at + bandBytes)])))
  return lines
}
