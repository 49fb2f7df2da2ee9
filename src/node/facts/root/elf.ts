/** Hardware names of `uname -m` by the machine number of an ELF header: of 32 bits and of 64 bits. */
const machines: Readonly<Record<number, readonly [string?, string?]>> = {
  3: ['i686'],
  8: ['mips', 'mips64'],
  20: ['ppc'],
  21: [undefined, 'ppc64'],
  22: ['s390', 's390x'],
  40: ['armv7l'],
  62: [undefined, 'x86_64'],
  183: [undefined, 'aarch64'],
  243: ['riscv32', 'riscv64'],
  258: ['loongarch32', 'loongarch64'],
}

/** Big-endian and little-endian systems of these machines have different names: `ppc64`, `ppc64le`. */
const suffixes: Readonly<Record<number, string>> = { 8: 'el', 21: 'le' }

/** Bytes of an ELF header up to the machine number. */
const headerBytes = 20

/**
 * The hardware name of a program, such as `x86_64`, from its ELF header. Undefined for other files
 * and for unknown machines. A 32-bit ARM program gives `armv7l`.
 */
export function parseElfHardware(head: Uint8Array): string | undefined {
  if (head.length < headerBytes || String.fromCharCode(...head.subarray(0, 4)) !== '\x7fELF') return undefined
  const [bits, order] = [head[4], head[5]]
  const isLittle = order === 1
  const number = new DataView(head.buffer, head.byteOffset).getUint16(18, isLittle)
  const name = bits === 1 || bits === 2 ? machines[number]?.[bits - 1] : undefined
  return name === undefined || (order !== 1 && order !== 2)
    ? undefined
    : `${name}${(isLittle && suffixes[number]) || ''}`
}
