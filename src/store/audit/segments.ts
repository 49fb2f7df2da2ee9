import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Files } from '../../machine/system/system.ts'

/** A file of the audit log. */
export interface AuditSegment {
  readonly path: string
  readonly name: string
  /** Number of the segment's first record, from the file name. */
  readonly first: number
}

const pattern = /^audit-(\d{12})\.log$/

/** Lists the segments in a folder, oldest first. */
export async function listAuditSegments(folder: string, files: Pick<Files, 'list'>): Promise<readonly AuditSegment[]> {
  const names = (await files.list(folder)) ?? []
  return names.flatMap((name) => {
    const [, first] = pattern.exec(name) ?? []
    return first === undefined ? [] : [{ path: join(folder, name), name, first: Number(first) }]
  })
}

/** Returns the segment whose first record has the number `first`. */
export function getAuditSegment(folder: string, first: number): AuditSegment {
  const name = `audit-${String(first).padStart(12, '0')}.log`
  return { path: join(folder, name), name, first }
}

/** A line of a file without its line end, or the remaining bytes after the last line end. */
export interface FileLine {
  readonly text: string
  /** Length of the line in bytes, including the line end. */
  readonly bytes: number
  readonly isWhole: boolean
}

const newline = 0x0a

/** Reads a file line by line. A line longer than any record is truncated. */
export async function* readFileLines(path: string): AsyncGenerator<FileLine> {
  const most = budgets.audit.line.bound
  let rest: Buffer = Buffer.alloc(0)
  let cut = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([rest, chunk.subarray(from, end)])
      yield { text: line.toString('utf8'), bytes: cut + line.length + 1, isWhole: true }
      rest = Buffer.alloc(0)
      cut = 0
      from = end + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(from)])
    if (rest.length <= most) continue
    cut += rest.length - most
    rest = rest.subarray(0, most)
  }
  if (rest.length + cut > 0) yield { text: rest.toString('utf8'), bytes: cut + rest.length, isWhole: false }
}
