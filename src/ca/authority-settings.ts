import { isIssue, throwIssue } from '../base/issue.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import { createAutosignPolicy, excludeOwnName } from './autosign.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { KeyAccess } from './issuer.ts'
import { authorityFaults } from './issues.ts'
import { openAuthority } from './local-authority.ts'
import { setUpAuthority } from './setup.ts'
import type { AuthorityStorage } from './storage/authority-storage.ts'
import type { KeyKind } from './x509/keys.ts'

/** Settings that configure a certificate authority. */
export type CaSettings = Pick<
  Settings,
  | 'cadir'
  | 'ca_store'
  | 'ca_signer'
  | 'ca_passfile'
  | 'ca_name'
  | 'ca_ttl'
  | 'autosign'
  | 'certname'
  | 'allow_duplicate_certs'
  | 'allow-subject-alt-names'
  | 'allow-authorization-extensions'
  | 'allow-auto-renewal'
  | 'auto-renewal-cert-ttl'
  | 'crl_ttl'
  | 'enable-infra-crl'
  | 'autosign_workers'
  | 'max_waiting_requests'
  | 'minimum_keylength'
>

/** Settings that determine the kind of new keys. */
export type KeySettings = Pick<Settings, 'key_type' | 'keylength' | 'named_curve'>

/** True if a command signs, with a key that is not in the CA's storage. */
export function hasSignerCommand(settings: Pick<CaSettings, 'ca_signer'>): boolean {
  return splitSignerCommand(settings).length > 0
}

function splitSignerCommand({ ca_signer }: Pick<CaSettings, 'ca_signer'>): readonly string[] {
  return ca_signer.split(/\s+/).filter((word) => word !== '')
}

/** Returns the access to the CA's private key that the settings configure. */
export function getKeyAccess(
  settings: Pick<CaSettings, 'ca_store' | 'ca_signer' | 'ca_passfile'>,
  system: KeyAccess['system'],
): KeyAccess {
  const { ca_store: store, ca_passfile: passfile } = settings
  const command = splitSignerCommand(settings)
  if (store === 'cadir' || command.length > 0) return { command, passphraseFile: undefined, system }
  if (passfile === '') throwIssue(authorityFaults.PASSFILE_UNSET, {})
  return { command, passphraseFile: passfile, system }
}

/** Opens the CA in a storage with the policy of the settings. Throws CA_MISSING if the CA was never set up. */
export function openStoredAuthority(
  settings: CaSettings,
  storage: AuthorityStorage,
  system: System,
  log: (message: string) => void = () => {},
): Promise<CertificateAuthority> {
  return openAuthority({
    storage,
    key: getKeyAccess(settings, system),
    ttl: settings.ca_ttl,
    autosign: excludeOwnName(
      createAutosignPolicy(settings.autosign, system, log, settings.autosign_workers),
      settings.certname,
    ),
    allowDuplicates: settings.allow_duplicate_certs,
    allowSubjectAltNames: settings['allow-subject-alt-names'],
    allowAuthorizationExtensions: settings['allow-authorization-extensions'],
    allowAutoRenewal: settings['allow-auto-renewal'],
    autoRenewalTtl: settings['auto-renewal-cert-ttl'],
    maxWaitingRequests: settings.max_waiting_requests,
    leastKeyBits: settings.minimum_keylength,
    listLifeMs: settings.crl_ttl * 1000,
    servesInfraList: settings['enable-infra-crl'],
    system,
  })
}

/**
 * Creates the CA if it does not exist; returns true if it was created. `publicKey` is the PEM of the external signer's
 * public key.
 */
export async function ensureAuthority(
  settings: CaSettings & KeySettings,
  storage: AuthorityStorage,
  system: System,
  publicKey?: string,
): Promise<boolean> {
  if (await storage.exists()) return false
  const creating = setUpAuthority({
    storage,
    name: settings.ca_name,
    ttl: settings.ca_ttl,
    key: getKeyKind(settings),
    access: getKeyAccess(settings, system),
    publicKey,
    leastKeyBits: settings.minimum_keylength,
    system,
  })
  return creating.then(
    () => true,
    async (error: unknown) => {
      // Another server created the CA meanwhile.
      if (isIssue(error, authorityFaults.CA_EXISTS) && (await storage.exists())) return false
      throw error
    },
  )
}

/** Returns the kind of key that the settings specify. */
export function getKeyKind({ key_type: type, keylength: bits, named_curve: curve }: KeySettings): KeyKind {
  return type === 'ec' ? { type, curve } : { type, bits }
}
