import { trimTrailing } from '../../../base/text/trailing-characters.ts'

/** An address or network, as read by Ruby's `IPAddr`. */
export interface IpAddress {
  readonly version: 4 | 6
  /** Bits of the address, in which the host part is zero. */
  readonly bits: bigint
  readonly mask: number
}

/**
 * Parses an address with an optional mask. Errors have `IPAddr`'s message, which quotes the part
 * read so far.
 */
export function parseIp(text: string): IpAddress | { readonly error: string } {
  const [written = '', suffix] = splitAtSlash(text)
  const bare = /^\[(.*)\]$/.exec(written)?.[1] ?? written
  const createError = (message: string): { error: string } => ({ error: `${message}: ` })
  const isV6 = bare.includes(':')
  const bits = isV6 ? parseIpv6(bare.replace(/%.*$/s, '')) : parseIpv4(bare)
  if (typeof bits === 'string') return createError(bits)
  if (bits === undefined) return createError('invalid address')
  const width = isV6 ? 128 : 32
  const mask = suffix === undefined ? width : makeMask(suffix, width)
  if (mask === undefined) return { error: `${/^\d+$/.test(suffix ?? '') ? 'invalid length' : 'invalid mask'}: ${bits}` }
  const kept = mask === 0 ? 0n : ((1n << BigInt(mask)) - 1n) << BigInt(width - mask)
  return { version: isV6 ? 6 : 4, bits: bits & kept, mask }
}

/** True if the address is in the network. */
export function containsAddress(network: IpAddress, address: IpAddress): boolean {
  if (network.version !== address.version) return false
  const shift = BigInt((network.version === 4 ? 32 : 128) - network.mask)
  return network.bits >> shift === address.bits >> shift && address.mask >= network.mask
}

/** Formats an address like `IPAddr#to_s`, which omits the longest run of zeros. */
export function formatIp({ version, bits }: IpAddress): string {
  const splitBits = (count: number, width: number): bigint[] =>
    Array.from(
      { length: count },
      (_, index) => (bits >> BigInt((count - 1 - index) * width)) & ((1n << BigInt(width)) - 1n),
    )
  if (version === 4) return splitBits(4, 8).join('.')
  const words = splitBits(8, 16).map((word) => word.toString(16))
  if (bits >> 32n === 0xffffn) return `::ffff:${formatDotted(bits & 0xffffffffn)}`
  if (bits >> 32n === 0n && bits >> 16n !== 0n) return `::${formatDotted(bits)}`
  return shortenZeros(words.join(':'))
}

function formatDotted(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
}

/** Replaces zeros in an IPv6 address by `::`. Like Ruby, tries the longest run first, at any position. */
function shortenZeros(text: string): string {
  for (let length = 8; length >= 2; length--) {
    const run = new RegExp(`\\b0(:0){${length - 1}}\\b`)
    if (run.test(text)) return text.replace(run, ':').replace(/^:$/, '::').replace(/:{3,}/, '::')
  }
  return text
}

function splitAtSlash(text: string): [string, string?] {
  const at = text.indexOf('/')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function parseIpv4(text: string): bigint | string | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  if (!found) return undefined
  const octets = found.slice(1)
  if (octets.some((octet) => Number(octet) > 255)) return undefined
  if (octets.some((octet) => /^0\d/.test(octet))) return 'zero-filled number in IPv4 address is ambiguous'
  return octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n)
}

function parseIpv6(text: string): bigint | string | undefined {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const low = embedded ? parseIpv4(embedded[2]!) : undefined
  if (embedded && typeof low !== 'bigint') return low
  const formatTail = (bits: bigint): string => `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
  const plain = embedded ? embedded[1]! + formatTail(low as bigint) : text
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [left = [], right] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const words = right ? [...left, ...new Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right] : left
  if (words.length !== 8 || (right && left.length + right.length > 7)) return undefined
  if (!words.every((word) => /^[\da-fA-F]{1,4}$/.test(word))) return undefined
  return words.reduce((bits, word) => (bits << 16n) | BigInt(`0x${word}`), 0n)
}

function makeMask(suffix: string, width: number): number | undefined {
  if (/^\d+$/.test(suffix)) return Number(suffix) <= width ? Number(suffix) : undefined
  const bits = width === 32 ? parseIpv4(suffix) : parseIpv6(suffix)
  if (typeof bits !== 'bigint') return undefined
  const digits = bits.toString(2).padStart(width, '0')
  return /^1*0*$/.test(digits) ? trimTrailing(digits, '0').length : undefined
}
