import type { Logger } from 'pino'
import { utcText } from '../../base/time/utc-text.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { type EndingNodes, endingNodes } from '../../ca/ending.ts'
import { renewHostCertificate } from '../../ca/host-files.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'

/** Parts with which a server looks after its certificates. */
export interface UpkeepParts {
  readonly settings: Settings
  readonly system: System
  readonly log: Logger
  /** The authority, where it is here. */
  readonly authority: CertificateAuthority | undefined
}

/** Milliseconds between two looks; well below the shortest life that a list or a certificate has. */
const everyMs = 3_600_000

/** The upkeep of a server, after its first look. */
export async function openUpkeep(parts: UpkeepParts): Promise<CertificateUpkeep> {
  const upkeep = new CertificateUpkeep(parts)
  await upkeep.run()
  return upkeep
}

/** The care of an authority's server for certificates and lists, so that none ends; none where the authority is elsewhere. */
export class CertificateUpkeep {
  readonly #parts: UpkeepParts
  #nodes: EndingNodes = { count: 0 }

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** Certificates of nodes that soon end, as of the last count. */
  get endingNodes(): EndingNodes {
    return this.#nodes
  }

  /** Looks after them each hour from now on, and counts now; the answer ends it. `looked` is told of each look. */
  begin(told: { renewed(): Promise<unknown>; looked(): Promise<unknown> }): () => Promise<void> {
    const hourly = setInterval(() => {
      this.#look(told).catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'Certificates were not looked after'),
      )
    }, everyMs).unref()
    void this.count()
    return async () => clearInterval(hourly)
  }

  async #look(told: { renewed(): Promise<unknown>; looked(): Promise<unknown> }): Promise<void> {
    if (await this.run()) await told.renewed()
    await told.looked()
    await this.#parts.authority?.lookThrough()
    await this.count()
  }

  /** Issues lists anew that are past half of their life, and this server's certificate near its end; true of a new certificate. */
  async run(): Promise<boolean> {
    const { authority, settings, system, log } = this.#parts
    if (!authority) return false
    try {
      if (await authority.refreshRevocationList()) log.info('The revocation list was issued anew')
    } catch (error) {
      log.error({ err: error }, 'The revocation list could not be issued anew')
    }
    try {
      const renewed = await renewHostCertificate(settings, authority, system)
      if (renewed) log.info(`The certificate of this server was renewed, until ${utcText(renewed.notAfter)}`)
      return renewed !== undefined
    } catch (error) {
      log.error({ err: error }, 'The certificate of this server could not be renewed')
      return false
    }
  }

  /** Looks at the certificates of all nodes, beside other work. */
  async count(): Promise<void> {
    const { authority, settings, system, log } = this.#parts
    if (!authority) return
    try {
      this.#nodes = await endingNodes(authority.statusSlices('signed'), new Date(system.now()), settings.certname)
    } catch (error) {
      log.error({ err: error }, 'The certificates of nodes could not be counted')
    }
  }
}
