import type { Logger } from 'pino'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import { CatalogSeal } from './catalog-seal.ts'
import { recordCatalog } from './open-audit.ts'

/** Dependencies of the catalog seal. */
export interface OpenSealParts {
  readonly settings: Settings
  readonly system: System
  readonly log: Logger
  readonly authority: CertificateAuthority | undefined
  readonly audit: AuditLog | undefined
}

/** Opens the catalog seal with its key. Throws SIGNER_BROKEN. */
export async function openSeal({ settings, system, log, authority, audit }: OpenSealParts): Promise<CatalogSeal> {
  const seal = new CatalogSeal({
    settings,
    system,
    authority,
    say: (level, message) => log[level](message),
    witness: audit && ((statement, client, secrets) => recordCatalog(audit, statement, client, secrets)),
  })
  await seal.open()
  return seal
}
