import type { FileHandle } from 'node:fs/promises'
import { type ReadRecord, recordAt, recordLength } from './record.ts'

/**
 * Reads complete records of a segment from an offset, up to a number of records and approximately
 * up to a number of bytes. Reads at least one record if the segment has one.
 */
export async function recordsAt(
  file: FileHandle,
  from: number,
  most: { readonly records: number; readonly bytes: number },
): Promise<readonly ReadRecord[]> {
  const { size } = await file.stat()
  let bytes = await bytesAt(file, from, Math.min(most.bytes, size - from))
  const wanted = recordLength(bytes, 0)
  if (wanted !== undefined && wanted > bytes.length) bytes = await bytesAt(file, from, Math.min(wanted, size - from))
  const records: ReadRecord[] = []
  for (let at = 0; records.length < most.records; ) {
    const record = recordAt(bytes, at)
    if (!record) break
    at = record.end
    records.push({ command: record.command, end: from + at })
  }
  return records
}

async function bytesAt(file: FileHandle, place: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, place + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
