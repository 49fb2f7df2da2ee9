import type { FileStat, Files } from '../../system/system.ts'
import type { Certificate } from '../../x509/certificate.ts'
import { parseRevocationLists } from '../../x509/revocation-list.ts'
import type { Revocations } from './client-certificate.ts'

/** The revocation lists in a file. It is read again when it has changed, so that a revocation holds at once. */
export class RevocationLists implements Revocations {
  readonly #file: string
  readonly #files: Pick<Files, 'stat' | 'readText'>
  #seen: Pick<FileStat, 'changed' | 'size'> | undefined
  #serials: ReadonlyMap<string, ReadonlySet<string>> = new Map()

  constructor(file: string, files: Pick<Files, 'stat' | 'readText'>) {
    this.#file = file
    this.#files = files
  }

  /** A missing file revokes nothing; one that cannot be read is an error, not a leave. */
  async isRevoked({ issuer, serial }: Certificate): Promise<boolean> {
    await this.#load()
    return this.#serials.get(issuer.der.toString('hex'))?.has(serial.toString(16)) ?? false
  }

  async #load(): Promise<void> {
    const stat = await this.#files.stat(this.#file)
    if (stat?.changed === this.#seen?.changed && stat?.size === this.#seen?.size) return
    const text = stat && (await this.#files.readText(this.#file))
    const lists = text === undefined ? [] : parseRevocationLists(text)
    const serials = new Map<string, ReadonlySet<string>>()
    for (const list of lists) {
      const issuer = list.issuer.der.toString('hex')
      serials.set(issuer, new Set([...(serials.get(issuer) ?? []), ...list.revoked]))
    }
    this.#serials = serials
    this.#seen = stat
  }
}
