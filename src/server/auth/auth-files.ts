import { parseCustomOids } from '../../ca/x509/custom-oids.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { type AuthConf, parseAuthConf } from './auth-conf.ts'
import type { ExtensionNames } from './client-certificate.ts'
import { addOwnRules, defaultRules } from './default-rules.ts'

/** Settings that name the authorization files, and the reader of the files. */
export interface AuthFiles {
  readonly settings: Pick<Settings, 'auth_conf' | 'auth_default_rules' | 'trusted_oid_mapping_file'>
  readonly system: { readonly files: Pick<Files, 'readText'> }
}

/** The rules of auth.conf and of our own endpoints; the default rules if the file is missing. */
export async function readAuthConf({ settings, system }: AuthFiles): Promise<AuthConf> {
  const text = await system.files.readText(settings.auth_conf)
  if (text === undefined) return { rules: defaultRules, allowHeaderCertInfo: false }
  const conf = parseAuthConf({ file: settings.auth_conf, text }, process.env)
  return settings.auth_default_rules ? { ...conf, rules: addOwnRules(conf.rules) } : conf
}

/**
 * Reads the names of extensions from `trusted_oid_mapping_file`. Throws OID_… for an invalid file, since rules and
 * code need every name.
 */
export async function readExtensionNames({ settings, system }: AuthFiles): Promise<ExtensionNames> {
  const file = settings.trusted_oid_mapping_file
  const text = await system.files.readText(file)
  const oids = text === undefined ? [] : [...parseCustomOids(text, file)]
  return new Map(oids.map(([name, oid]) => [oid, name]))
}
