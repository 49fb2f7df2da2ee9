import { createHash } from 'node:crypto'
import { checkJsonNumber, checkJsonObject, checkJsonString as textOf } from '../../base/json/json-checks.ts'
import { type AuditRecord, type NumberedRecord, recordKinds } from './record.ts'

/** The end of a chain, after which the next record is added. */
export interface ChainHead {
  /** Number of the last record; 0 in an empty chain. */
  readonly seq: number
  /** Hash of the last record: SHA-256 in hexadecimal. */
  readonly hash: string
}

/** The head of a chain without records. */
export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** A parsed line of the audit log; its hash is not verified. */
export interface ChainLine {
  /** The hash at the start of the line. */
  readonly hash: string
  readonly json: string
  readonly record: NumberedRecord
}

/** Formats the record that follows `head`, and returns its line and the new head. */
export function formatNextLine(
  head: ChainHead,
  record: AuditRecord,
  time: string,
): { readonly line: string; readonly head: ChainHead } {
  const seq = head.seq + 1
  const { kind, ...members } = record
  const json = JSON.stringify({ seq, time, kind, ...members })
  const hash = hashRecord(head.hash, json)
  return { line: `${hash} ${json}\n`, head: { seq, hash } }
}

/** Hashes a record together with the hash of the record before it. */
export function hashRecord(previous: string, json: string): string {
  return createHash('sha256').update(previous).update('\n').update(json).digest('hex')
}

/** Parses a line without its line end; `undefined` if malformed. Does not verify the hash. */
export function parseChainLine(line: string): ChainLine | undefined {
  if (!/^[0-9a-f]{64} \{/.test(line)) return undefined
  const json = line.slice(65)
  try {
    const members = checkJsonObject(JSON.parse(json), 'record')
    const kind = recordKinds.find((each) => each === members.kind)
    if (kind === undefined) return undefined
    checkJsonNumber(members.seq, 'seq')
    textOf(members.time, 'time')
    return { hash: line.slice(0, 64), json, record: members as unknown as NumberedRecord }
  } catch {
    return undefined
  }
}
