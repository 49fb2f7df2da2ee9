import { crc32 } from 'node:zlib'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import type { CommandName, WireTimestamp } from '../commands/command.ts'

/** A command in the queue. */
export interface QueuedCommand {
  readonly uuid: string
  readonly name: CommandName
  readonly version: number
  readonly certname: string
  readonly received: WireTimestamp
  /** JSON in UTF-8. */
  readonly payload: Uint8Array
}

/**
 * Length in bytes of the header of a record: the length and the CRC-32 of the record's content, as
 * two unsigned 32-bit integers.
 */
const headLength = 8

/** An encoded record: pieces to write one after the other, and their total length in bytes. */
export interface EncodedRecord {
  readonly pieces: readonly Uint8Array[]
  readonly length: number
}

/** Encodes a command as a record of a segment. The payload is not copied. */
export function encodeRecord({ payload, ...about }: QueuedCommand): EncodedRecord {
  const line = `${JSON.stringify(about)}\n`
  const lineLength = Buffer.byteLength(line)
  const head = Buffer.alloc(headLength + lineLength)
  head.write(line, headLength)
  head.writeUInt32BE(lineLength + payload.length, 0)
  head.writeUInt32BE(crc32(payload, crc32(head.subarray(headLength))), 4)
  return { pieces: [head, payload], length: head.length + payload.length }
}

/** A decoded command and the offset after its record. */
export interface DecodedRecord {
  readonly command: QueuedCommand
  readonly end: number
}

/** Length of the record at `place`; `undefined` if its header is incomplete. */
export function getRecordLength(segment: Uint8Array, place: number): number | undefined {
  if (place + headLength > segment.length) return undefined
  return headLength + toBufferView(segment).readUInt32BE(place)
}

/**
 * Decodes the record at `place`; `undefined` at the end of the segment or if the record is
 * incomplete or damaged.
 */
export function decodeRecord(segment: Uint8Array, place: number): DecodedRecord | undefined {
  if (place + headLength > segment.length) return undefined
  const view = toBufferView(segment)
  const end = place + headLength + view.readUInt32BE(place)
  if (end > segment.length) return undefined
  const body = view.subarray(place + headLength, end)
  if (crc32(body) !== view.readUInt32BE(place + 4)) return undefined
  const line = body.indexOf(0x0a)
  const about = JSON.parse(body.subarray(0, line).toString()) as Omit<QueuedCommand, 'payload'>
  return { command: { ...about, payload: body.subarray(line + 1) }, end }
}
