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

/** Encodes a command as a record of a segment. */
export function encodeRecord({ payload, ...about }: QueuedCommand): Buffer {
  const head = Buffer.from(`${JSON.stringify(about)}\n`)
  const body = Buffer.concat([head, payload])
  const frame = Buffer.alloc(headLength)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame, body])
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
