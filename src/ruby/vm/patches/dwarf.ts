import { decodeUnsigned, getCustomSection } from '../wasm-binary.ts'

/** An entry of DWARF: a structure, a member, a variable, a function or a constant. */
export interface DwarfEntry {
  readonly tag: number
  readonly parent: DwarfEntry | undefined
  readonly children: readonly DwarfEntry[]
  readonly attributes: ReadonlyMap<number, Value>
}

/** The value of an attribute. A reference is the offset of its target in the section. */
type Value = number | string | Uint8Array

/** The form of entries that share tag and attributes. */
interface Abbreviation {
  readonly tag: number
  readonly hasChildren: boolean
  readonly attributes: readonly (readonly [attribute: number, form: number])[]
}

const unitHeaderBytes = 11
const supportedVersion = 4
const nameAttribute = 0x03

/**
 * The entries of the compilation units whose file name matches, by their offset in the section `.debug_info`. Reads
 * DWARF 4; throws an Error for another version.
 */
export function readEntries(bytes: Uint8Array, units: RegExp): ReadonlyMap<number, DwarfEntry> {
  const binary = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const info = getCustomSection(binary, '.debug_info')
  const entries = new Map<number, DwarfEntry>()
  for (let start = info.start; start < info.end; ) {
    const end = start + 4 + binary.readUInt32LE(start)
    readUnit(new Reader(binary, start - info.start), start, end, (entry, at) => {
      if (entry.parent === undefined && !units.test(String(entry.attributes.get(nameAttribute)))) return false
      entries.set(at - info.start, entry)
      return true
    })
    start = end
  }
  return entries
}

/** Reads the entries of a unit until `accept` returns false. */
function readUnit(
  reader: Reader,
  start: number,
  end: number,
  accept: (entry: DwarfEntry, at: number) => boolean,
): void {
  reader.at = start + 4
  const version = reader.fixed(2)
  if (version !== supportedVersion) throw new Error(`DWARF ${version} is not supported`)
  const abbreviations = readAbbreviations(reader, reader.fixed(4))
  const open: { entry: DwarfEntry; children: DwarfEntry[] }[] = []
  for (reader.at = start + unitHeaderBytes; reader.at < end; ) {
    const at = reader.at
    const abbreviation = abbreviations.get(reader.number())
    if (abbreviation === undefined) {
      open.pop()
      continue
    }
    const parent = open.at(-1)
    const attributes = new Map(abbreviation.attributes.map(([name, form]) => [name, reader.value(form)] as const))
    const children: DwarfEntry[] = []
    const entry = { tag: abbreviation.tag, parent: parent?.entry, children, attributes }
    parent?.children.push(entry)
    if (!accept(entry, at)) return
    if (abbreviation.hasChildren) open.push({ entry, children })
  }
}

function readAbbreviations(reader: Reader, offset: number): Map<number, Abbreviation> {
  const found = new Map<number, Abbreviation>()
  reader.at = getCustomSection(reader.binary, '.debug_abbrev').start + offset
  for (let code = reader.number(); code !== 0; code = reader.number()) {
    const tag = reader.number()
    const hasChildren = reader.fixed(1) === 1
    const attributes: [number, number][] = []
    for (let [name, form] = reader.pair(); name !== 0; [name, form] = reader.pair()) attributes.push([name, form])
    found.set(code, { tag, hasChildren, attributes })
  }
  return found
}

/** Reads values at a position, which advances. */
class Reader {
  readonly binary: Buffer
  at = 0
  /** The offset of the unit in its section. */
  readonly #unit: number
  readonly #texts: number

  constructor(binary: Buffer, unit: number) {
    this.binary = binary
    this.#unit = unit
    this.#texts = getCustomSection(binary, '.debug_str').start
  }

  /** Reads a LEB128 number. */
  number(): number {
    const { value, end } = decodeUnsigned(this.binary, this.at)
    this.at = end
    return value
  }

  pair(): [number, number] {
    return [this.number(), this.number()]
  }

  /** Reads an unsigned number of 1, 2 or 4 bytes. */
  fixed(bytes: number): number {
    this.at += bytes
    return this.binary.readUIntLE(this.at - bytes, bytes)
  }

  /** Reads the value of an attribute in a form of DWARF 4. */
  value(form: number): Value {
    switch (form) {
      case 0x05: // DW_FORM_data2
        return this.fixed(2)
      case 0x01: // DW_FORM_addr
      case 0x06: // DW_FORM_data4
      case 0x17: // DW_FORM_sec_offset
      case 0x10: // DW_FORM_ref_addr
        return this.fixed(4)
      case 0x0b: // DW_FORM_data1
      case 0x0c: // DW_FORM_flag
        return this.fixed(1)
      case 0x07: // DW_FORM_data8
        return this.#bytes(8)
      case 0x0a: // DW_FORM_block1
        return this.#bytes(this.fixed(1))
      case 0x18: // DW_FORM_exprloc
        return this.#bytes(this.number())
      case 0x0d: // DW_FORM_sdata; no negative value is looked up
      case 0x0f: // DW_FORM_udata
        return this.number()
      case 0x13: // DW_FORM_ref4
        return this.#unit + this.fixed(4)
      case 0x19: // DW_FORM_flag_present
        return 1
      case 0x08: // DW_FORM_string
        return this.#text(this.at, true)
      case 0x0e: // DW_FORM_strp
        return this.#text(this.#texts + this.fixed(4), false)
      default:
        throw new Error(`DWARF form ${form} is not supported`)
    }
  }

  #bytes(length: number): Uint8Array {
    this.at += length
    return this.binary.subarray(this.at - length, this.at)
  }

  /** Reads a text up to a NUL byte. Advances past the text if it is stored in the entry itself. */
  #text(start: number, isInPlace: boolean): string {
    const end = this.binary.indexOf(0, start)
    if (isInPlace) this.at = end + 1
    return this.binary.toString('utf8', start, end)
  }
}
