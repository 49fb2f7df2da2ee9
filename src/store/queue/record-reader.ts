import type { FileHandle } from 'node:fs/promises'
import { type DecodedRecord, decodeRecord, getRecordLength } from './record.ts'

/**
 * Reads complete records of a segment from an offset, up to a number of records and approximately
 * up to a number of bytes. Reads at least one record if the segment has one.
 */
export async function readRecords(
  file: FileHandle,
  from: number,
  most: { readonly records: number; readonly bytes: number },
): Promise<readonly DecodedRecord[]> {
  const { size } = await file.stat()
  let bytes = await readBytes(file, from, Math.min(most.bytes, size - from))
  const wanted = getRecordLength(bytes, 0)
  if (wanted !== undefined && wanted > bytes.length) bytes = await readBytes(file, from, Math.min(wanted, size - from))
  const records: DecodedRecord[] = []
  for (let at = 0; records.length < most.records; ) {
    const record = decodeRecord(bytes, at)
    if (!record) break
    at = record.end
    records.push({ command: record.command, end: from + at })
  }
  return records
}

async function readBytes(file: FileHandle, place: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, place + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
