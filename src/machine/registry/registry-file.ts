import { throwIssue } from '../../base/issue.ts'
import { registryIssues } from './issues.ts'
import { type RegistryValue, registryTypes } from './registry-data.ts'

/** A key with its values, without subkeys. The path begins with the full name of the root, such as `HKEY_USERS`. */
export interface RegistryKey {
  readonly path: string
  readonly values: readonly RegistryValue[]
}

/** A change of one key, which is created if it is missing. */
export interface RegistryChange {
  readonly key: string
  readonly values?: readonly RegistryValue[]
  /** Names of the values to remove. */
  readonly removedValues?: readonly string[]
}

const header = 'Windows Registry Editor Version 5.00'

/** Data of a value whose end was not read yet. */
interface OpenValue {
  readonly name: string
  readonly form: 'text' | 'bytes'
  readonly type: number
  readonly parts: string[]
}

/**
 * Parses a file that `reg export` wrote, line by line, in linear time. Keys come before their subkeys. Text can contain line
 * breaks: Windows writes them as they are, Wine as `\r\n`.
 */
export class RegistryFileParser {
  #key: { readonly path: string; readonly values: RegistryValue[] } | undefined
  #open: OpenValue | undefined
  readonly #complete: (key: RegistryKey) => void

  /** Calls `complete` for each key, after its last value. */
  constructor(complete: (key: RegistryKey) => void) {
    this.#complete = complete
  }

  /** Parses the next line, which has no line break at its end. */
  readLine(line: string): void {
    if (this.#open?.form === 'text') this.#readText(this.#open, line, 0)
    else if (this.#open) this.#readBytes(this.#open, line.trim())
    else if (line.startsWith('[')) this.#beginKey(line)
    else if (line.startsWith('"') || line.startsWith('@=')) this.#beginValue(line)
    else if (line.trim() !== '' && !line.startsWith(';') && (this.#key || line.trim() !== header)) this.#fail(line)
  }

  /** Completes the last key. A value whose end is missing is an error. */
  end(): void {
    if (this.#open) this.#fail('the file is truncated')
    if (this.#key) this.#complete(this.#key)
    this.#key = undefined
  }

  #beginKey(line: string): void {
    this.end()
    const end = line.lastIndexOf(']')
    if (end < 0) this.#fail(line)
    this.#key = { path: line.slice(1, end), values: [] }
  }

  #beginValue(line: string): void {
    const quoted = line.startsWith('"') ? readQuoted(line, 1) : { text: '', end: 1 }
    if (!quoted || line[quoted.end] !== '=') this.#fail(line)
    const name = quoted.text
    const data = quoted.end + 1
    const [, form = '', type] = /^(dword:|hex(?:\(([0-9a-f]{1,8})\))?:)/i.exec(line.slice(data, data + 14)) ?? []
    if (line[data] === '"') {
      this.#open = { name, form: 'text', type: registryTypes.string, parts: [] }
      this.#readText(this.#open, line, data + 1)
    } else if (form.toLowerCase() === 'dword:') {
      const bytes = line.slice(data + form.length).trim()
      if (!/^[0-9a-f]{1,8}$/i.test(bytes)) this.#fail(line)
      const number = Buffer.alloc(4)
      number.writeUInt32LE(Number.parseInt(bytes, 16))
      this.#close({ name, type: registryTypes.dword, data: number })
    } else if (form !== '') {
      const number = type === undefined ? registryTypes.binary : Number.parseInt(type, 16)
      this.#open = { name, form: 'bytes', type: number, parts: [] }
      this.#readBytes(this.#open, line.slice(data + form.length).trim())
    } else this.#fail(line)
  }

  #readText(open: OpenValue, line: string, start: number): void {
    const quoted = readQuoted(line, start)
    if (!quoted) {
      open.parts.push(unescapeText(line.slice(start)), '\r\n')
      return
    }
    open.parts.push(quoted.text)
    const data = Buffer.from(`${open.parts.join('')}\0`, 'utf16le')
    this.#close({ name: open.name, type: open.type, data })
  }

  #readBytes(open: OpenValue, text: string): void {
    const isContinued = text.endsWith('\\')
    open.parts.push(isContinued ? text.slice(0, -1) : text)
    if (isContinued) return
    const digits = open.parts.join('').replaceAll(',', '').replaceAll(' ', '')
    const data = Buffer.from(digits, 'hex')
    if (data.length * 2 !== digits.length) this.#fail(text)
    this.#close({ name: open.name, type: open.type, data })
  }

  #close(value: RegistryValue): void {
    this.#open = undefined
    if (!this.#key) this.#fail(value.name)
    this.#key.values.push(value)
  }

  #fail(line: string): never {
    throwIssue(registryIssues.REGISTRY_UNREADABLE, {
      key: this.#key?.path ?? '',
      why: `unknown line in the output of reg.exe: ${line.slice(0, 100)}`,
    })
  }
}

/** Text up to the next quote that no backslash escapes; undefined if the line ends before. */
function readQuoted(line: string, start: number): { text: string; end: number } | undefined {
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === '"') return { text: unescapeText(line.slice(start, at)), end: at + 1 }
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', '0': '\0' }

const unescapeText = (text: string): string => text.replace(/\\(.)/gs, (_, next: string) => escapes[next] ?? next)

/** Bytes in a line of a file, as `reg export` writes them. */
const bytesInLine = 25

/** A file for `reg import` that makes the changes in their order. Throws REGISTRY_NAME_INVALID. */
export function formatRegistryFile(changes: readonly RegistryChange[]): Buffer {
  const lines = changes.flatMap(({ key, values = [], removedValues = [] }) => [
    `[${requireName(key)}]`,
    ...removedValues.map((name) => `${formatName(name)}=-`),
    ...values.map((value) => `${formatName(value.name)}=${formatData(value)}`),
    '',
  ])
  return Buffer.from(`\u{feff}${[header, '', ...lines, ''].join('\r\n')}`, 'utf16le')
}

/** Lines of the file have a meaning of their own, so that no name may contain a line break. */
function requireName(name: string): string {
  if (/[\0-\x1f]/.test(name)) throwIssue(registryIssues.REGISTRY_NAME_INVALID, { name })
  return name
}

const formatName = (name: string): string =>
  name === '' ? '@' : `"${requireName(name).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Text is written as bytes too, so that nothing in it needs escapes. */
function formatData({ type, data }: RegistryValue): string {
  const lines: string[] = []
  for (let at = 0; at < data.length; at += bytesInLine) {
    const bytes = data.subarray(at, at + bytesInLine).toString('hex')
    lines.push(bytes.replace(/..(?=.)/g, '$&,'))
  }
  return `hex${type === registryTypes.binary ? '' : `(${type.toString(16)})`}:${lines.join(',\\\r\n  ')}`
}
