import { createHash } from 'node:crypto'
import { number, record, text as textOf } from '../../base/json/wire.ts'
import { type AuditRecord, type PlacedRecord, recordKinds } from './record.ts'

/** The end of a chain: what the next record continues. */
export interface Head {
  /** The number of the last record; 0 before the first. */
  readonly seq: number
  /** Its hash, SHA-256 in hexadecimal. */
  readonly hash: string
}

/** A chain without a record. */
export const emptyChain: Head = { seq: 0, hash: '0'.repeat(64) }

/** A line of the log, as it stands. */
export interface ChainLine {
  /** The hash that it claims. */
  readonly hash: string
  readonly json: string
  readonly record: PlacedRecord
}

/** The line of the record that follows a head, and the head after it. */
export function nextLine(
  head: Head,
  record: AuditRecord,
  time: string,
): { readonly line: string; readonly head: Head } {
  const seq = head.seq + 1
  const { kind, ...members } = record
  const json = JSON.stringify({ seq, time, kind, ...members })
  const hash = hashOf(head.hash, json)
  return { line: `${hash} ${json}\n`, head: { seq, hash } }
}

/** The hash of a record: of the hash before it and of its own text. */
export function hashOf(previous: string, json: string): string {
  return createHash('sha256').update(previous).update('\n').update(json).digest('hex')
}

/** A line of the log without its end; `undefined` for what is none. Whether the hash fits is another matter. */
export function readLine(line: string): ChainLine | undefined {
  if (!/^[0-9a-f]{64} \{/.test(line)) return undefined
  const json = line.slice(65)
  try {
    const members = record(JSON.parse(json), 'record')
    const kind = recordKinds.find((each) => each === members.kind)
    if (kind === undefined) return undefined
    number(members.seq, 'seq')
    textOf(members.time, 'time')
    return { hash: line.slice(0, 64), json, record: members as unknown as PlacedRecord }
  } catch {
    return undefined
  }
}
