/** Bytes of a block in a tar archive. */
const blockBytes = 512
/** Number of bytes in a header. */
export const headerBytes = blockBytes
/** The two empty blocks that end an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes)

/**
 * Returns the header of a regular file in the format ustar, with fixed owner, mode and time. A name and a size have exactly
 * one header, so that a reader can compare headers instead of interpreting them.
 */
export function encodeTarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write(name, 0, 100, 'latin1')
  header.write('0000644\0', 100, 'latin1')
  header.write('0000000\0', 108, 'latin1')
  header.write('0000000\0', 116, 'latin1')
  header.write(`${formatOctal(size, 11)}\0`, 124, 'latin1')
  header.write('00000000000\0', 136, 'latin1')
  header.write(' '.repeat(8), 148, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${formatOctal(sum, 6)}\0 `, 148, 'latin1')
  return header
}

/** Returns the size in a header; `undefined` if the header is not the one of a regular file with this name. */
export function decodeTarHeader(header: Buffer, name: string): number | undefined {
  const [, digits] = /^([0-7]{11})\0$/.exec(header.toString('latin1', 124, 136)) ?? []
  if (digits === undefined) return undefined
  const size = Number.parseInt(digits, 8)
  return encodeTarHeader(name, size).equals(header) ? size : undefined
}

/** Returns the zero bytes between a file of this size and the next header. */
export function createPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

function formatOctal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
