import { sha256 } from '../../base/bytes/sha256.ts'
import { ensureCatalogSigner, type SignerSettings } from '../../ca/catalog-signer.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import { type CatalogStatement, catalogSignatures, signatureHeader } from '../../model/catalog-signature.ts'
import type { CatalogDocument } from '../termini/catalog/index.ts'

/** Who asked for a catalog, and for whose. */
export interface CatalogAsked {
  readonly node: string
  /** The certname of the client. */
  readonly client: string | undefined
  readonly transaction: string | undefined
}

/** Whoever is told of each catalog that is answered, with the digest of its body. */
export type CatalogWitness = (statement: CatalogStatement, client: string | undefined) => void

/** Parts of a seal. */
export interface SealParts {
  readonly settings: SignerSettings & Pick<Settings, 'catalog_signing'>
  readonly system: Pick<System, 'files' | 'now'>
  readonly authority: CertificateAuthority | undefined
  readonly say: (level: 'info' | 'error', message: string) => void
  readonly witness?: CatalogWitness | undefined
}

/** A transaction as it stands in a signature: an agent's UUID, and nothing that is longer. */
const transactionPattern = /^[\w-]{1,64}$/

/** Milliseconds after which the key is looked at again: whether it was revoked, or another one is there. */
const lookMs = 60_000

/** The last step of an answer with a catalog: its digest is taken, signed and witnessed. */
export class CatalogSeal {
  readonly #parts: SealParts
  #looked = Number.NEGATIVE_INFINITY
  #signer: { readonly certificate: Certificate; readonly sign: (statement: CatalogStatement) => string } | undefined

  constructor(parts: SealParts) {
    this.#parts = parts
  }

  /** The certificate that catalogs are signed with now. */
  get certificate(): Certificate | undefined {
    return this.#signer?.certificate
  }

  /** Takes the key that is there now, or a new one where that one soon ends. Throws SIGNER_BROKEN. */
  async open(): Promise<void> {
    const { settings, authority, system, say } = this.#parts
    this.#looked = system.now()
    if (!settings.catalog_signing) return
    const found = await ensureCatalogSigner(settings, authority, system)
    if (found?.isNew) say('info', `Catalogs are signed by a new key: ${settings.catalog_signer}`)
    this.#signer = found && { certificate: found.certificate, sign: catalogSignatures(found) }
  }

  /** As `open`; where that fails, all stays as it was. */
  async renew(): Promise<void> {
    await this.open().catch((error: Error) => this.#parts.say('error', `The key for catalogs stays: ${error.message}`))
  }

  /** The headers of an answer: its signature, where catalogs are signed. */
  async headersFor(catalog: CatalogDocument, asked: CatalogAsked): Promise<Readonly<Record<string, string>>> {
    const { witness, system } = this.#parts
    if (Math.abs(system.now() - this.#looked) > lookMs) await this.renew()
    if (!this.#signer && !witness) return {}
    const { transaction = '' } = asked
    const statement: CatalogStatement = {
      digest: `{sha256}${catalog.digest ?? (await sha256(catalog.body))}`,
      node: asked.node,
      environment: catalog.environment,
      codeId: catalog.codeId,
      time: new Date(system.now()).toISOString(),
      transaction: transactionPattern.test(transaction) ? transaction : undefined,
    }
    witness?.(statement, asked.client)
    return this.#signer ? { [signatureHeader]: this.#signer.sign(statement) } : {}
  }
}
