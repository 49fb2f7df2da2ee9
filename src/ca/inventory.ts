import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { throwIssue } from '../base/issue.ts'
import { isMissingFileError } from '../base/system-error.ts'
import { mapCooperatively } from '../base/threads/cooperative-tasks.ts'
import type { Files } from '../machine/system/system.ts'
import { authorityFaults } from './issues.ts'
import type { Certificate } from './x509/certificate.ts'
import { formatSlashedName } from './x509/distinguished-name.ts'

/** A certificate recorded in the inventory. */
export interface InventoryEntry {
  readonly serial: bigint
  readonly notBefore: string
  readonly notAfter: string
  /** The subject as `/CN=name`. */
  readonly subject: string
}

const line = /^0x([0-9a-f]+) (\S+) (\S+) (\/.*)$/i

/** Formats a time in the inventory's format: `2026-11-20T10:56:11UTC`. */
export function formatInventoryTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'UTC')
}

/** Parses a time such as `2026-11-20T10:56:11UTC`; returns an invalid date for other text. */
export function parseInventoryTime(text: string): Date {
  return new Date(text.replace(/UTC$/, 'Z'))
}

/** Parses all entries; a line that a crash truncated is skipped. */
export function parseInventory(text: string): InventoryEntry[] {
  return text.split('\n').flatMap((each) => parseEntry(each) ?? [])
}

/** Same as `parseInventory`, but yields to other work, for inventories of any length. */
export async function parseInventoryAsync(text: string): Promise<InventoryEntry[]> {
  const found = await mapCooperatively(text.split('\n'), parseEntry)
  return found.filter((entry) => entry !== undefined)
}

/** Returns the entries with one of these subjects; yields to other work. */
export async function findInventoryEntries(text: string, subjects: ReadonlySet<string>): Promise<InventoryEntry[]> {
  const found: InventoryEntry[] = []
  await mapCooperatively(text.split('\n'), (each) => {
    if (!subjects.has(each.slice(each.indexOf('/')))) return
    const entry = parseEntry(each)
    if (entry) found.push(entry)
  })
  return found
}

function parseEntry(text: string): InventoryEntry | undefined {
  const [, serial, notBefore, notAfter, subject] = line.exec(text) ?? []
  if (!serial) return undefined
  return { serial: BigInt(`0x${serial}`), notBefore: notBefore!, notAfter: notAfter!, subject: subject! }
}

/** Number of inventory bytes read at once. */
const readAtOnce = 256 * 1024

/** Returns the common names in an inventory after a byte offset; may skip a line that begins before the offset. */
export async function readNewInventoryNames(file: string, from: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  let rest = ''
  const addCommonName = (text: string) => {
    const subject = text.slice(text.indexOf('/'))
    if (subject.startsWith('/CN=')) names.add(subject.slice('/CN='.length))
  }
  const lines = createReadStream(file, { start: from, encoding: 'utf8', highWaterMark: readAtOnce })
  try {
    for await (const chunk of lines) {
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      await mapCooperatively(parts, addCommonName)
    }
  } catch (error) {
    if (!isMissingFileError(error)) throw error
  }
  addCommonName(rest)
  return names
}

/** Returns the entry of a certificate. */
export function toInventoryEntry({ serial, notBefore, notAfter, subject }: Certificate): InventoryEntry {
  return {
    serial,
    notBefore: formatInventoryTime(notBefore),
    notAfter: formatInventoryTime(notAfter),
    subject: formatSlashedName(subject),
  }
}

/** Appends entries and syncs the file to disk. */
export async function appendToInventory(file: string, entries: readonly InventoryEntry[]): Promise<void> {
  const lines = entries.map(
    ({ serial, notBefore, notAfter, subject }) => `0x${formatSerial(serial)} ${notBefore} ${notAfter} ${subject}\n`,
  )
  const handle = await open(file, 'a+', 0o644)
  try {
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    await handle.write(`${size > 0 && last.toString() !== '\n' ? '\n' : ''}${lines.join('')}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads the serial of the next certificate. Throws SERIAL_UNREADABLE. */
export async function readSerial(files: Files, file: string): Promise<bigint> {
  const text = (await files.readText(file))?.trim() ?? ''
  if (!/^[0-9a-f]+$/i.test(text)) throwIssue(authorityFaults.SERIAL_UNREADABLE, { file })
  return BigInt(`0x${text}`)
}

/**
 * Returns the next serial. The incremented serial is first synced to disk, so that no serial is issued twice. The
 * caller must hold the lock.
 */
export async function allocateSerial(files: Files, file: string): Promise<bigint> {
  const serial = await readSerial(files, file)
  await files.write(file, formatSerial(serial + 1n), 0o644)
  return serial
}

/** Formats a serial as in the file `serial`: upper-case hexadecimal, at least four digits. */
export function formatSerial(serial: bigint): string {
  return serial.toString(16).toUpperCase().padStart(4, '0')
}
