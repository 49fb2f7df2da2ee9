import { decodeUnsigned, getCustomSection } from '../wasm-binary.ts'
import { type DwarfEntry, readEntries } from './dwarf.ts'

/** Tags of DWARF. */
const tags = { member: 0x0d, typedef: 0x16, constant: 0x26, enumerator: 0x28, variable: 0x34, volatile: 0x35 } as const
/** Attributes of DWARF. */
const attributes = { location: 0x02, name: 0x03, size: 0x0b, constant: 0x1c, offset: 0x38, type: 0x49 } as const
/** `DW_OP_addr`: pushes a constant address. */
const addressOperation = 0x03

/**
 * The names in a WebAssembly binary with debugging information: all functions, and the structures, variables and
 * enumerators of the C files that match `units`. Each lookup throws an Error that names what is missing.
 */
export class DebugInfo {
  readonly #entries: ReadonlyMap<number, DwarfEntry>
  readonly #functions: ReadonlyMap<string, number>

  constructor(binary: Uint8Array, units: RegExp) {
    this.#functions = readFunctionNames(binary)
    this.#entries = readEntries(binary, units)
  }

  /** Returns the index of a function. */
  functionIndex(name: string): number {
    return this.#functions.get(name) ?? throwMissing(`function ${name}`)
  }

  hasFunction(name: string): boolean {
    return this.#functions.has(name)
  }

  /**
   * Returns the offset in bytes of a member in a structure, at any depth:
   * `rb_vm_struct.gc.mark_func_data`.
   */
  offset(path: string): number {
    const [name, ...members] = path.split('.') as [string, ...string[]]
    let type: DwarfEntry | undefined = this.#structure(name)
    let offset = 0
    for (const member of members) {
      const entry = type?.children.find((each) => each.tag === tags.member && hasName(each, member))
      offset += getNumericAttribute(entry, attributes.offset) ?? throwMissing(`member ${path}`)
      type = this.#type(entry)
    }
    return offset
  }

  /** Returns the size of a structure in bytes. */
  size(name: string): number {
    return getNumericAttribute(this.#structure(name), attributes.size) ?? throwMissing(`size of ${name}`)
  }

  /**
   * Returns the address of a global variable, or of a static variable in a function:
   * `rb_wasm_scan_locals.buf`.
   */
  address(path: string): number {
    const [variable, scope] = path.split('.').reverse() as [string, string?]
    for (const entry of this.#named(variable)) {
      const location = entry.attributes.get(attributes.location)
      if (entry.tag !== tags.variable || !(location instanceof Uint8Array)) continue
      if (scope !== undefined && !hasName(entry.parent, scope)) continue
      if (location[0] === addressOperation) return new DataView(location.buffer, location.byteOffset).getUint32(1, true)
    }
    return throwMissing(`variable ${path}`)
  }

  /** Returns the value of an enumerator. */
  constant(name: string): number {
    const entry = this.#named(name).find((each) => each.tag === tags.enumerator)
    return getNumericAttribute(entry, attributes.constant) ?? throwMissing(`enumerator ${name}`)
  }

  #named(name: string): DwarfEntry[] {
    return [...this.#entries.values()].filter((entry) => hasName(entry, name))
  }

  /** Returns the definition of a structure, by its own name or that of a `typedef`. */
  #structure(name: string): DwarfEntry {
    const candidates = this.#named(name).map((entry) => (entry.tag === tags.typedef ? this.#type(entry) : entry))
    return (
      candidates.find((each) => each?.children.some(({ tag }) => tag === tags.member)) ?? throwMissing(`type ${name}`)
    )
  }

  /** Returns the type of an entry, skipping `typedef`, `const` and `volatile`. */
  #type(entry: DwarfEntry | undefined): DwarfEntry | undefined {
    const type = this.#entries.get(getNumericAttribute(entry, attributes.type) ?? Number.NaN)
    const isAlias = type?.tag === tags.typedef || type?.tag === tags.constant || type?.tag === tags.volatile
    return isAlias ? this.#type(type) : type
  }
}

function hasName(entry: DwarfEntry | undefined, name: string): boolean {
  return entry?.attributes.get(attributes.name) === name
}

function getNumericAttribute(entry: DwarfEntry | undefined, attribute: number): number | undefined {
  const value = entry?.attributes.get(attribute)
  return typeof value === 'number' ? value : undefined
}

function throwMissing(what: string): never {
  throw new Error(`the binary for debuggers has no ${what}`)
}

const functionNames = 1

/** Reads the indices of functions by name from the section `name`. */
function readFunctionNames(binary: Uint8Array): Map<string, number> {
  const { start, end } = getCustomSection(binary, 'name')
  const decoder = new TextDecoder()
  const names = new Map<string, number>()
  for (let at = start; at < end; ) {
    const size = decodeUnsigned(binary, at + 1)
    if (binary[at] === functionNames) {
      let next = decodeUnsigned(binary, size.end).end
      while (next < size.end + size.value) {
        const index = decodeUnsigned(binary, next)
        const length = decodeUnsigned(binary, index.end)
        next = length.end + length.value
        names.set(decoder.decode(binary.subarray(length.end, next)), index.value)
      }
    }
    at = size.end + size.value
  }
  return names
}
