import type { KeyObject } from 'node:crypto'
import { generatePrivateKey } from '../../../ca/x509/keys.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { SslFiles } from './ssl-files.ts'

/** Settings for a new key. */
export type HostKeySettings = Pick<Settings, 'certname' | 'key_type' | 'keylength' | 'named_curve'>

/** Creates and stores this host's key. */
export async function createHostKey(
  { certname, key_type: type, named_curve: curve, keylength: bits }: HostKeySettings,
  files: SslFiles,
  log: (level: LogLevel, message: string) => void,
): Promise<KeyObject> {
  if (type === 'ec') log('info', `Creating a new EC SSL key for ${certname} using curve ${curve}`)
  else log('info', `Creating a new RSA SSL key for ${certname}`)
  const key = await generatePrivateKey(type === 'ec' ? { type, curve } : { type, bits })
  await files.saveKey(key)
  return key
}
