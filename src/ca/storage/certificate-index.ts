import { opendir } from 'node:fs/promises'
import { splitIntoSlices } from '../../base/slices.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { sortCooperatively } from '../../base/threads/cooperative-sort.ts'
import { mapCooperatively, runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { Slots } from '../../base/threads/slots.ts'
import { isCertname } from '../../machine/settings/certname.ts'
import { type Files, getFileVersion } from '../../machine/system/system.ts'
import { type CertificateStatus, toCertificateStatus, tryReadStatus } from '../certificate-status.ts'
import type { CaLayout } from '../file-layout.ts'
import { readNewInventoryNames } from '../inventory.ts'
import { publicFileMode, type Records } from '../pem-folder.ts'
import { parseCertificate } from '../x509/certificate.ts'
import { packStatus, unpackStatus } from './status-encoding.ts'

/**
 * With at most this number of certificates, any change causes a check of all files; with more certificates, only files
 * that may have changed are checked.
 */
const lookedAtAlways = 2000
/** Milliseconds between two checks of all files, since a file may have been restored manually. */
const lookedThroughMs = 24 * 3_600_000
/** Files checked concurrently. The number is high, since a busy event loop receives the results in batches. */
const looksAtOnce = 512
/** Files read concurrently. The number is low, since each file needs a descriptor. */
const readsAtOnce = 64
/** The index is saved again after this number of certificates has been read. */
const savedAfter = 500
/** Number of statuses in one slice. */
const slice = 100
/**
 * Milliseconds after a change of a folder during which another change may leave its modification
 * time the same.
 */
const settledMs = 1000
/** Number of folder entries listed at once. */
const listedAtOnce = 512

const format = 'plumb-ca-index 1'

/** The state of the folder and the inventory at the last update of the index. */
interface Seen {
  /**
   * Version of the certificate folder; empty if the folder changed so recently that another change
   * may leave its modification time the same.
   */
  readonly directory: string
  readonly inventory: string
  /** Size of the inventory in bytes. */
  readonly inventorySize: number
  /** Time of the last check of all files, in milliseconds since 1970. */
  readonly lookedThrough: number
}

interface Entry {
  readonly version: string
  /** Status of the certificate, encoded by `packStatus`. */
  readonly line: string
}

/**
 * The statuses of all certificates in a folder, cached in memory and in a file. Other programs may change the folder.
 * If neither the folder nor the inventory has changed, no certificate file is checked: newly signed certificates change
 * the inventory, and added or removed files change the folder. A file replaced manually is noticed within a day. The
 * status of a single certname is always read from its file.
 */
export class CertificateIndex {
  readonly #files: Files
  readonly #records: Records
  readonly #layout: CaLayout
  readonly #entries = new Map<string, Entry>()
  #names: readonly string[] = []
  #seen: Seen | undefined
  #isLoaded = false
  #unsaved = 0
  /** Refreshes run one after another, so that each includes all changes made before its call. */
  readonly #refreshes = new Slots({ atOnce: 1 })

  constructor(files: Files, records: Records, layout: CaLayout) {
    this.#files = files
    this.#records = records
    this.#layout = layout
  }

  /** Returns the status of one certificate, read from its file; `undefined` if the file does not exist. */
  async find(name: string): Promise<CertificateStatus | undefined> {
    const version = await this.#records.version(name)
    if (version === undefined) return undefined
    const entry = this.#entries.get(name)
    const known = entry?.version === version ? unpackStatus(entry.line) : undefined
    return known ?? this.#read(name)
  }

  /** Yields the statuses of all certificates in slices, sorted by certname. */
  async *slices(): AsyncGenerator<readonly CertificateStatus[]> {
    await this.refresh()
    for (const names of splitIntoSlices(this.#names, slice)) {
      const known = await mapCooperatively(names, (name) => this.#unpacked(name))
      const found = await Promise.all(known.map((status, at) => status ?? this.find(names[at]!)))
      yield found.filter((status) => status !== undefined)
    }
  }

  /** Updates the index from the folder. With `isThorough`, checks every file. */
  refresh(isThorough = false): Promise<void> {
    return this.#refreshes.run(() => this.#refresh(isThorough))
  }

  async #refresh(isThorough: boolean): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    const now = Date.now()
    const before = this.#seen
    const present = await this.#present(now)
    const isDue = isThorough || before === undefined || Math.abs(now - before.lookedThrough) > lookedThroughMs
    const isSame = before?.directory === present.directory && before.inventory === present.inventory
    if (!isDue && isSame && present.directory !== '') return
    const names = await listCertnames(this.#layout.signed)
    const all = isDue || names.size <= lookedAtAlways || present.inventorySize < before.inventorySize
    const changed = all ? [...names] : await this.#perhapsChanged(names, before.inventorySize)
    const read = await this.#look(changed)
    const removed = await this.#forget(names)
    if (read.isNew || removed > 0) this.#names = await sortCooperatively([...names])
    this.#unsaved += read.count + removed
    this.#seen = { ...present, lookedThrough: all ? now : before.lookedThrough }
    if (this.#unsaved >= savedAfter && names.size > lookedAtAlways) await this.#save()
  }

  async #present(now: number): Promise<Omit<Seen, 'lookedThrough'>> {
    const [directory, inventory] = await Promise.all([
      this.#files.stat(this.#layout.signed),
      this.#files.stat(this.#layout.inventory),
    ])
    const isSettled = directory !== undefined && Math.abs(now - directory.modified) > settledMs
    return {
      directory: isSettled ? getFileVersion(directory) : '',
      inventory: inventory ? getFileVersion(inventory) : '',
      inventorySize: inventory?.size ?? 0,
    }
  }

  /**
   * Returns the certnames whose files may have changed: new names, and names with a newly issued
   * certificate.
   */
  async #perhapsChanged(names: ReadonlySet<string>, from: number): Promise<string[]> {
    const added = await readNewInventoryNames(this.#layout.inventory, from)
    const found: string[] = []
    await mapCooperatively([...names], (name) => {
      if (!this.#entries.has(name) || added.has(name)) found.push(name)
    })
    return found
  }

  /** Reads the certificates whose files have changed. */
  async #look(names: readonly string[]): Promise<{ readonly count: number; readonly isNew: boolean }> {
    const versions = await mapConcurrently(names, looksAtOnce, (name) => this.#records.version(name))
    const changed = names.flatMap((name, at) => {
      const version = versions[at]
      return version === undefined || this.#entries.get(name)?.version === version ? [] : [{ name, version }]
    })
    const isNew = changed.some(({ name }) => !this.#entries.has(name))
    await mapConcurrently(changed, readsAtOnce, async ({ name, version }) => {
      const status = await this.#read(name)
      if (status) this.#entries.set(name, { version, line: packStatus(status) })
    })
    return { count: changed.length, isNew }
  }

  /** Removes the entries of deleted files; returns the number of removed entries. */
  async #forget(names: ReadonlySet<string>): Promise<number> {
    let count = 0
    await mapCooperatively([...this.#entries.keys()], (name) => {
      if (!names.has(name) && this.#entries.delete(name)) count++
    })
    return count
  }

  async #read(name: string): Promise<CertificateStatus | undefined> {
    const pem = await this.#records.read(name)
    if (pem === undefined) return undefined
    // Yields to the event loop while parsing, since many files arrive from the disk together.
    const [status] = await mapCooperatively([pem], () =>
      tryReadStatus(name, () => toCertificateStatus(name, parseCertificate(pem))),
    )
    return status
  }

  #unpacked(name: string): CertificateStatus | undefined {
    const entry = this.#entries.get(name)
    return entry && unpackStatus(entry.line)
  }

  /** Loads the saved index. A damaged index is ignored and rebuilt. */
  async #load(): Promise<void> {
    this.#isLoaded = true
    const bytes = await this.#files.read(this.#layout.index).catch(() => undefined)
    if (!bytes) return
    const seen = await runCooperatively(this.#take(bytes))
    if (seen) this.#seen = seen
    else this.#entries.clear()
    this.#names = await sortCooperatively([...this.#entries.keys()])
  }

  *#take(bytes: Buffer): Generator<void, Seen | undefined> {
    const header = parseHeader(bytes.toString('utf8', 0, findLineEnd(bytes, 0)))
    if (!header) return undefined
    for (let at = bytes.indexOf(10) + 1; at < bytes.length; ) {
      const end = findLineEnd(bytes, at)
      const [name = '', version = '', line] = bytes.toString('utf8', at, end).split('\t')
      at = end + 1
      if (!isCertname(name) || line === undefined) return undefined
      this.#entries.set(name, { version, line })
      yield
    }
    return header.count === this.#entries.size ? header.seen : undefined
  }

  /** Saves the index. A process without write permission rebuilds the index at each start. */
  async #save(): Promise<void> {
    const text = this.#text(this.#seen!)
    try {
      await this.#files.write(this.#layout.index, text, publicFileMode)
      this.#unsaved = 0
    } catch {
      // Without a saved index, the next listing is slower, but correct.
    }
  }

  async *#text(seen: Seen): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify({ format, count: this.#entries.size, ...seen })}\n`)
    // The names are saved in sorted order, so that the reader need not sort them.
    for (const names of splitIntoSlices(this.#names, slice)) {
      const lines = await mapCooperatively(names, (name) => {
        const entry = this.#entries.get(name)
        return entry ? `${name}\t${entry.version}\t${entry.line}\n` : ''
      })
      yield Buffer.from(lines.join(''))
    }
  }
}

function findLineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(10, from)
  return end < 0 ? bytes.length : end
}

function parseHeader(line: string): { readonly seen: Seen; readonly count: number } | undefined {
  try {
    const { format: given, count, directory, inventory, inventorySize, lookedThrough } = JSON.parse(line)
    const numbers = [count, inventorySize, lookedThrough]
    if (given !== format || !numbers.every(Number.isSafeInteger)) return undefined
    if (typeof directory !== 'string' || typeof inventory !== 'string') return undefined
    return { seen: { directory, inventory, inventorySize, lookedThrough }, count }
  } catch {
    return undefined
  }
}

/** Returns the certnames with files in a folder. */
async function listCertnames(directory: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  try {
    for await (const { name } of await opendir(directory, { bufferSize: listedAtOnce })) {
      const certname = name.endsWith('.pem') ? name.slice(0, -'.pem'.length) : ''
      if (isCertname(certname)) names.add(certname)
    }
  } catch (error) {
    if (!isMissingFileError(error)) throw error
  }
  return names
}
