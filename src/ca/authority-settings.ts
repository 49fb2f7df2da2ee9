import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import { createAutosignPolicy, excludeOwnName } from './autosign.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import { openAuthority } from './local-authority.ts'
import { hasAuthority, setUpAuthority } from './setup.ts'
import type { KeyKind } from './x509/keys.ts'

/** Settings that configure a certificate authority. */
export type CaSettings = Pick<
  Settings,
  | 'cadir'
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

/** Opens the CA configured by the settings. Throws CA_MISSING if the CA was never set up. */
export function openConfiguredAuthority(
  settings: CaSettings,
  system: System,
  log: (message: string) => void = () => {},
): Promise<CertificateAuthority> {
  return openAuthority({
    cadir: settings.cadir,
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

/** Creates the CA if it does not exist; returns true if it was created. */
export async function ensureAuthority(settings: CaSettings & KeySettings, system: System): Promise<boolean> {
  if (await hasAuthority(settings.cadir, system)) return false
  const { cadir, ca_name: name, ca_ttl: ttl } = settings
  await setUpAuthority({
    cadir,
    name,
    ttl,
    key: getKeyKind(settings),
    leastKeyBits: settings.minimum_keylength,
    system,
  })
  return true
}

/** Returns the kind of key that the settings specify. */
export function getKeyKind({ key_type: type, keylength: bits, named_curve: curve }: KeySettings): KeyKind {
  return type === 'ec' ? { type, curve } : { type, bits }
}
