import type { KeyObject } from 'node:crypto'
import { createDiagnostic, PuppetError, throwIssue } from '../../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { VerbatimError } from '../../../language/values/verbatim-error.ts'
import { yamlData } from '../backends/yaml-data.ts'
import { requirePath } from '../data-files.ts'
import type { FunctionOperations, LookupContext } from '../lookup-context.ts'
import { decryptWithGpg } from '../secrets/gpg.ts'
import { listTexts, locateGpgHome } from '../secrets/key-options.ts'
import { type Decryptor, decryptText, isEncrypted } from './decrypt-text.ts'
import { openEnvelope } from './enveloped-data.ts'
import { eyamlIssues } from './issues.ts'
import { decryptWithKms } from './kms.ts'
import { readRsaKey } from './rsa-key.ts'

/** The function `eyaml_lookup_key` for `lookup_key:`, which hierarchy levels and data functions call. */
export const eyamlLookupKey = defineFunction(
  'eyaml_lookup_key',
  'Looks up a key in a YAML file in which values may be encrypted by hiera-eyaml, with PKCS7, GPG or KMS.',
  {
    'String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context': (
      key: string,
      options: Hash,
      context: LookupContext,
    ) => {
      const { data } = context
      if (data.cache.has(key)) return data.cache.get(key)
      const path = requirePath('eyaml_lookup_key', options)
      const hash = context.readHash(yamlData, path)
      if (!hash.has(key)) return context.notFound()
      const value = decryptValue(hash.get(key), { key, path, options, context })
      data.cache = data.cache.with(key, value)
      return value
    },
  },
)

/** The looked-up key and the context of a decryption. */
interface DecryptionContext {
  readonly key: string
  readonly path: string
  readonly options: Hash
  readonly context: LookupContext
}

/** Decrypts and interpolates all texts in a value; keys of hashes are interpolated, but not decrypted. */
function decryptValue(value: Value, asked: DecryptionContext): Value {
  const { context } = asked
  if (typeof value === 'string') return context.interpolate(isEncrypted(value) ? decryptBlocks(value, asked) : value)
  if (Array.isArray(value)) return value.map((item) => decryptValue(item, asked))
  if (!(value instanceof Hash)) return value
  return Hash.of(Array.from(value, ([name, item]) => [context.interpolate(name), decryptValue(item, asked)]))
}

function decryptBlocks(text: string, asked: DecryptionContext): string {
  const { key, path, options } = asked
  const method = options.get('encrypt_method')
  try {
    return decryptText(text, typeof method === 'string' ? method : 'PKCS7', createDecryptors(asked))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, hint } = error.diagnostic
    throw new VerbatimError(
      createDiagnostic(eyamlIssues.EYAML_DECRYPT, { data: text, key, path, detail: message, hint }),
    )
  }
}

function createDecryptors({ options, context }: DecryptionContext): ReadonlyMap<string, Decryptor> {
  const { abilities } = context.data
  return new Map([
    ['PKCS7', (bytes) => decodeLosslessUtf8(openEnvelope(bytes, readRsaKeys(options, abilities)))],
    ['GPG', (bytes) => decryptWithGpg(bytes, locateGpgHome(options, abilities))],
    ['KMS', (bytes) => decryptWithKms(bytes, options, context.invocation.context.host)],
  ])
}

/** Reads the private keys of a level one after the other: a key is only read if the keys before it do not fit. */
function* readRsaKeys(options: Hash, abilities: FunctionOperations): Iterable<KeyObject> {
  for (const path of listPrivateKeys(options)) yield readRsaKey(abilities.locateKeyFile(path))
}

/** The paths in `pkcs7_private_key`: a text, or an array of texts while keys are rotated. */
function listPrivateKeys(options: Hash): readonly string[] {
  const paths = listTexts(options.get('pkcs7_private_key'))
  if (paths) return paths
  for (const option of ['pkcs7_private_key_env_var', 'pkcs7_b64_private_key_env_var']) {
    const variable = options.get(option)
    if (typeof variable === 'string') return throwIssue(eyamlIssues.EYAML_KEY_FROM_ENVIRONMENT, { option, variable })
  }
  return throwIssue(eyamlIssues.EYAML_NO_KEY, {})
}
