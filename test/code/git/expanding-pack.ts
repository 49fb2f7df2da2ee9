import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

const kinds = { commit: 1, tree: 2, blob: 3, refDelta: 7 } as const
type Kind = keyof typeof kinds

/** The name of an object. */
export function objectName(kind: 'commit' | 'tree' | 'blob', content: Buffer): string {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex')
}

/** An object as packs contain it: type and size, for a delta the name of its base, then the compressed content. */
export function packed(kind: Kind, content: Buffer, base = ''): Buffer {
  const bytes = [(kinds[kind] << 4) | (content.length & 15)]
  for (let rest = content.length >>> 4; rest > 0; rest = rest >>> 7) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.concat([Buffer.from(bytes), Buffer.from(base, 'hex'), deflateSync(content, { level: 9 })])
}

/** A delta whose result is a base of `size` bytes, `times` over. gitformat-pack(5). */
export function repeatingDelta(size: number, times: number): Buffer {
  const copy = Buffer.from([0xf0, size & 0xff, (size >> 8) & 0xff, (size >> 16) & 0xff])
  return Buffer.concat([varint(size), varint(size * times), ...Array<Buffer>(times).fill(copy)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 0x80)
  }
}

/** A pack of objects. */
export function pack(objects: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const body = Buffer.concat([head, ...objects])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
