import type { Files } from '../../machine/system/system.ts'
import { type ChainHead, emptyChain, hashRecord, parseChainLine } from './chain.ts'
import { type AuditProblem, auditProblems } from './problems.ts'
import { type AuditSegment, listAuditSegments, readFileLines } from './segments.ts'

/** The result of verifying an audit log. */
export interface AuditVerdict {
  readonly segments: number
  readonly records: number
  /** Number of the first stored record; greater than 1 if older segments were removed. */
  readonly first: number | undefined
  /** Number and hash of the last record. */
  readonly head: ChainHead | undefined
  /** Number of the record whose hash is `known`. */
  readonly headAt: number | undefined
  /** Number of bytes after the last complete line: a record that is still being written, or an incomplete record. */
  readonly unfinished: number
  readonly problems: readonly AuditProblem[]
}

/** Maximum number of reported problems; later problems usually follow from the first ones. */
const maxProblems = 20

/**
 * Verifies every record of a log: the hash of a record must match its text and the previous record.
 * `known` is a hash that was saved elsewhere; the log must contain it.
 */
export async function verifyAuditLog(
  folder: string,
  files: Pick<Files, 'list'>,
  known?: string,
): Promise<AuditVerdict> {
  const segments = await listAuditSegments(folder, files)
  const walk = new Walk(known)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    for await (const { text, bytes, isWhole } of readFileLines(segment.path))
      walk.take(text, isWhole, bytes, segment, isLast)
    walk.endSegment(segment, isLast)
  }
  return { segments: segments.length, ...walk.verdict() }
}

/** State of the verification while it follows the chain. */
class Walk {
  readonly #known: string | undefined
  readonly #problems: AuditProblem[] = []
  #head: ChainHead | undefined
  #first: number | undefined
  #headAt: number | undefined
  #records = 0
  #unfinished = 0
  #line = 0

  constructor(known: string | undefined) {
    this.#known = known
  }

  take(text: string, isWhole: boolean, bytes: number, segment: AuditSegment, isLast: boolean): void {
    this.#line++
    const place = { file: segment.name, line: this.#line }
    if (!isWhole && isLast) {
      this.#unfinished = bytes
      return
    }
    const line = isWhole ? parseChainLine(text) : undefined
    if (!line) {
      this.#tell(auditProblems.unreadable(place))
      return
    }
    const { record, json, hash } = line
    const isHeading = this.#line === 1 && record.kind === 'segment'
    if (this.#line === 1 && (!isHeading || record.seq !== segment.first)) this.#tell(auditProblems.heading(place))
    // The oldest stored segment itself contains the hash that it continues.
    const before = this.#head ?? (isHeading ? { seq: record.seq - 1, hash: record.previous } : emptyChain)
    if (record.seq !== before.seq + 1)
      this.#tell(auditProblems.order({ ...place, before: before.seq, seq: record.seq }))
    else if (hashRecord(before.hash, json) !== hash) this.#tell(auditProblems.altered({ ...place, seq: record.seq }))
    else if (isHeading && record.previous !== before.hash) this.#tell(auditProblems.heading(place))
    if (record.seq === 1 && before.hash !== emptyChain.hash) this.#tell(auditProblems.heading(place))
    this.#first ??= record.seq
    this.#records++
    this.#head = { seq: record.seq, hash }
    if (hash === this.#known && this.#problems.length === 0) this.#headAt = record.seq
  }

  /** Requires a complete line in each segment except the last, which a server may have just created. */
  endSegment(segment: AuditSegment, isLast: boolean): void {
    if (this.#line === 0 && !isLast) this.#tell(auditProblems.heading({ file: segment.name, line: 1 }))
    this.#line = 0
  }

  verdict(): Omit<AuditVerdict, 'segments'> {
    if (this.#known !== undefined && this.#headAt === undefined)
      this.#tell(auditProblems.headMissing({ hash: this.#known }))
    return {
      records: this.#records,
      first: this.#first,
      head: this.#head,
      headAt: this.#headAt,
      unfinished: this.#unfinished,
      problems: this.#problems,
    }
  }

  #tell(problem: AuditProblem): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }
}
