/** Numbers of the types of data in the registry. */
export const registryTypes = {
  none: 0,
  string: 1,
  expandableString: 2,
  binary: 3,
  dword: 4,
  bigEndianDword: 5,
  strings: 7,
  qword: 11,
} as const

/** A value of a registry key. The default value has an empty name. */
export interface RegistryValue {
  readonly name: string
  readonly type: number
  readonly data: Buffer
}

const dwordBytes = 4
const qwordBytes = 8

/** Data as Ruby's `Win32::Registry#read` returns it; undefined for types without a form in Ruby, and for damaged numbers. */
export function decodeRegistryData({
  type,
  data,
}: Pick<RegistryValue, 'type' | 'data'>): string | readonly string[] | bigint | Buffer | undefined {
  switch (type) {
    case registryTypes.string:
    case registryTypes.expandableString:
      return decodeText(data).replace(/\0$/, '')
    case registryTypes.strings:
      return splitTexts(decodeText(data))
    case registryTypes.binary:
    case registryTypes.none:
      return data
    case registryTypes.dword:
      return data.length === dwordBytes ? BigInt(data.readUInt32LE()) : undefined
    case registryTypes.bigEndianDword:
      return data.length === dwordBytes ? BigInt(data.readUInt32BE()) : undefined
    case registryTypes.qword:
      return data.length === qwordBytes ? data.readBigUInt64LE() : undefined
    default:
      return undefined
  }
}

/** Text with its terminator, as `REG_SZ` and `REG_EXPAND_SZ` contain it. */
export const encodeRegistryText = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')

/** A list of texts, each with its terminator, and the terminator of the list, as `REG_MULTI_SZ` contains it. */
export const encodeRegistryTexts = (texts: readonly string[]): Buffer =>
  Buffer.from(`${texts.map((text) => `${text}\0`).join('')}\0`, 'utf16le')

/** A number as `REG_DWORD` contains it. Negative numbers are stored in two's complement. */
export function encodeDword(number: bigint): Buffer {
  const data = Buffer.alloc(dwordBytes)
  data.writeUInt32LE(Number(BigInt.asUintN(32, number)))
  return data
}

/** A number as `REG_QWORD` contains it. Negative numbers are stored in two's complement. */
export function encodeQword(number: bigint): Buffer {
  const data = Buffer.alloc(qwordBytes)
  data.writeBigUInt64LE(BigInt.asUintN(64, number))
  return data
}

/** UTF-16; an odd byte at the end, which other programs may have written, is ignored. */
const decodeText = (data: Buffer): string => data.subarray(0, data.length & ~1).toString('utf16le')

/** Like `split(/\0/)` of Ruby: without empty texts at the end. */
function splitTexts(text: string): readonly string[] {
  const texts = text.split('\0')
  while (texts.at(-1) === '') texts.pop()
  return texts
}
