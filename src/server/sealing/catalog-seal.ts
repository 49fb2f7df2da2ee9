import { computeSha256 } from '../../base/bytes/sha256.ts'
import { ensureCatalogSigner, type SignerSettings } from '../../ca/catalog-signer.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import { type CatalogStatement, createCatalogSigner, signatureHeader } from '../../model/catalog-signature.ts'
import type { Order } from '../../model/orders/order.ts'
import type { ServerMessage } from '../../model/orders/order-messages.ts'
import { createOrderWriter } from '../../model/orders/order-signature.ts'
import { readSecretLocation } from '../../network/outside/secrets/secret-question.ts'
import type { ReadSecret } from '../../store/audit/record.ts'
import type { CatalogDocument } from '../termini/catalog/index.ts'

/** The node of a catalog and the client that requested it. */
export interface CatalogRecipient {
  readonly node: string
  /** Certname of the client. */
  readonly client: string | undefined
  readonly transaction: string | undefined
}

/** Called with the digest of each catalog that the server sends, and with the secrets that its code read. */
export type CatalogObserver = (
  statement: CatalogStatement,
  client: string | undefined,
  secrets: readonly ReadSecret[],
) => void

/** Dependencies of `CatalogSeal`. */
export interface SealParts {
  readonly settings: SignerSettings & Pick<Settings, 'catalog_signing'>
  readonly system: Pick<System, 'files' | 'now'>
  readonly authority: CertificateAuthority | undefined
  readonly say: (level: 'info' | 'error', message: string) => void
  readonly witness?: CatalogObserver | undefined
}

/** Returns the secrets among the external queries of a compilation. */
function listReadSecrets(asked: CatalogDocument['asked'] = []): readonly ReadSecret[] {
  return asked.flatMap(({ question, version }) =>
    version === undefined ? [] : [{ ...readSecretLocation(question), version }],
  )
}

/** Allowed form of a transaction ID in a signature; agents send a UUID. */
const transactionPattern = /^[\w-]{1,64}$/

/** Interval in milliseconds at which the key is checked for revocation or replacement. */
const lookMs = 60_000

/**
 * Computes the digest of each catalog that is sent, signs it, and passes it to the observer
 * `witness`.
 */
export class CatalogSeal {
  readonly #parts: SealParts
  #looked = Number.NEGATIVE_INFINITY
  #signer: { readonly certificate: Certificate; readonly sign: (statement: CatalogStatement) => string } | undefined
  #writeOrder = createOrderWriter(undefined)

  constructor(parts: SealParts) {
    this.#parts = parts
  }

  /** The certificate whose key signs catalogs. */
  get certificate(): Certificate | undefined {
    return this.#signer?.certificate
  }

  /** Loads the signing key, or creates a new one if it expires soon. Throws SIGNER_BROKEN. */
  async open(): Promise<void> {
    const { settings, authority, system, say } = this.#parts
    this.#looked = system.now()
    if (!settings.catalog_signing) return
    const found = await ensureCatalogSigner(settings, authority, system)
    if (found?.isNew) say('info', `Signing catalogs with a new key: ${settings.catalog_signer}`)
    this.#signer = found && { certificate: found.certificate, sign: createCatalogSigner(found) }
    this.#writeOrder = createOrderWriter(found)
  }

  /** Loads or replaces the key like `open`, but keeps the previous key on failure. */
  async renew(): Promise<void> {
    await this.open().catch((error: Error) =>
      this.#parts.say('error', `Keeping the catalog signing key: ${error.message}`),
    )
  }

  /** Returns the function that writes orders to nodes. They are signed if catalogs are signed. */
  async orderWriter(): Promise<(order: Order) => ServerMessage> {
    await this.#renewInTime()
    return this.#writeOrder
  }

  /** Headers of a response: the signature, if catalogs are signed. */
  async headersFor(catalog: CatalogDocument, asked: CatalogRecipient): Promise<Readonly<Record<string, string>>> {
    const { witness, system } = this.#parts
    await this.#renewInTime()
    if (!this.#signer && !witness) return {}
    const { transaction = '' } = asked
    const statement: CatalogStatement = {
      digest: `{sha256}${catalog.digest ?? (await computeSha256(catalog.body))}`,
      node: asked.node,
      environment: catalog.environment,
      codeId: catalog.codeId,
      time: new Date(system.now()).toISOString(),
      transaction: transactionPattern.test(transaction) ? transaction : undefined,
    }
    witness?.(statement, asked.client, listReadSecrets(catalog.asked))
    return this.#signer ? { [signatureHeader]: this.#signer.sign(statement) } : {}
  }

  async #renewInTime(): Promise<void> {
    if (Math.abs(this.#parts.system.now() - this.#looked) > lookMs) await this.renew()
  }
}
