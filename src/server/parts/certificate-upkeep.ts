import { formatUtcDate } from '../../base/time/utc-text.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { countExpiringNodes, type ExpiringNodes } from '../../ca/expiring-certificates.ts'
import { renewHostCertificate } from '../../ca/host-files.ts'
import { authorityPart } from './authority.ts'
import { definePart } from './part.ts'
import type { StartParameters } from './start-parameters.ts'

/**
 * Renewal of the revocation lists and of the server's certificate; both are checked once at the
 * start.
 */
export const upkeepPart = definePart('upkeep', [authorityPart], async (parts) => {
  const upkeep = new CertificateUpkeep(parts)
  await upkeep.run()
  return { value: upkeep }
})

interface UpkeepParts extends StartParameters {
  /** The certificate authority; undefined if it is on another server. */
  readonly authority: CertificateAuthority | undefined
}

/** Milliseconds between two checks. This is much shorter than the lifetime of any list or certificate. */
const everyMs = 3_600_000

/**
 * Renews the revocation lists and the server's certificate before they expire. Does nothing if the
 * authority is elsewhere.
 */
class CertificateUpkeep {
  readonly #parts: UpkeepParts
  #nodes: ExpiringNodes = { count: 0 }

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** Node certificates that expire soon, as of the last count. */
  get endingNodes(): ExpiringNodes {
    return this.#nodes
  }

  /**
   * Starts hourly checks, and counts the certificates now. Returns a function that stops the checks. `looked` is
   * called after each check.
   */
  begin(told: { renewed(): Promise<unknown>; looked(): Promise<unknown> }): () => Promise<void> {
    const hourly = setInterval(() => {
      this.#look(told).catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'Could not check certificates for renewal'),
      )
    }, everyMs).unref()
    void this.count()
    return async () => clearInterval(hourly)
  }

  async #look(told: { renewed(): Promise<unknown>; looked(): Promise<unknown> }): Promise<void> {
    if (await this.run()) await told.renewed()
    await told.looked()
    // Also finishes the requests of other servers that crashed.
    await this.#parts.authority?.resume((message) => this.#parts.log.warn(message))
    await this.count()
  }

  /**
   * Renews the revocation list after half of its lifetime, and the server's certificate before it
   * expires. Returns true if the certificate was renewed.
   */
  async run(): Promise<boolean> {
    const { authority, settings, system, log } = this.#parts
    if (!authority) return false
    try {
      if (await authority.refreshRevocationList()) log.info('Renewed the revocation list')
    } catch (error) {
      log.error({ err: error }, 'Could not renew the revocation list')
    }
    try {
      const renewed = await renewHostCertificate(settings, authority, system)
      if (renewed)
        log.info(`Renewed the certificate of this server; it is valid until ${formatUtcDate(renewed.notAfter)}`)
      return renewed !== undefined
    } catch (error) {
      log.error({ err: error }, 'Could not renew the certificate of this server')
      return false
    }
  }

  /** Counts the node certificates that expire soon, yielding to other work between slices. */
  async count(): Promise<void> {
    const { authority, settings, system, log } = this.#parts
    if (!authority) return
    try {
      this.#nodes = await countExpiringNodes(
        authority.statusSlices('signed'),
        new Date(system.now()),
        settings.certname,
      )
    } catch (error) {
      log.error({ err: error }, 'Could not count the expiring certificates of nodes')
    }
  }
}
