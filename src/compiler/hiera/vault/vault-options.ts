import type { ExactJson } from '../../../base/json/exact-json.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import { Float } from '../../../language/values/float.ts'
import { Hash } from '../../../language/values/hash.ts'
import { Regexp } from '../../../language/values/regexp.ts'
import type { Value } from '../../../language/values/value.ts'
import { credentialOptions } from '../../../network/outside/secrets/vault-question.ts'
import { readPatterns, uniteRegexps } from '../key-patterns.ts'
import { pickTexts } from '../secrets/ask-secret.ts'
import { hieraVaultIssues } from './issues.ts'

/** Options of a level with `lookup_key: hiera_vault`. */
export interface VaultOptions {
  readonly address: string
  readonly namespace: string | undefined
  /** Options that select how to log in, as JSON. */
  readonly credentials: ExactJson
  /** Paths by mount, before interpolation. */
  readonly mounts: readonly (readonly [mount: string, paths: readonly string[]])[]
  /** Field whose value is the result; `undefined` for the whole secret. */
  readonly defaultField: string | undefined
  /** True if the field is the result only if the secret has no other field. */
  readonly isFieldOnly: boolean
  readonly isFieldJson: boolean
  readonly isStrict: boolean
  readonly guessesMount: boolean
  readonly readsVersion1: boolean
  readonly continuesIfMissing: boolean
  /** Seconds for which a response may be reused. */
  readonly cacheFor: number | undefined
  /** Matches the keys that are looked up; `undefined` for all keys. */
  readonly confined: Regexp | undefined
  readonly stripped: readonly Regexp[]
  /** Matches the keys whose value is a hash of all secrets below a path. */
  readonly resources: Regexp
}

/** Address of a server on the same machine, which the Vault client has by default. */
const defaultAddress = 'https://127.0.0.1:8200'

/** Reads the options. Throws the errors of the module `hiera_vault`. */
export function readVaultOptions(options: Hash): VaultOptions {
  const text = (name: string) => (typeof options.get(name) === 'string' ? (options.get(name) as string) : undefined)
  checkEnumeration(options, 'default_field_parse', ['string', 'json'])
  checkEnumeration(options, 'default_field_behavior', ['ignore', 'only'])
  const resources = readOwnPatterns(options, 'convert_paths_to_resources') ?? []
  const confined = readOwnPatterns(options, 'confine_to_keys')
  return {
    ...{ address: text('address') ?? process.env['VAULT_ADDR'] ?? defaultAddress, namespace: text('namespace') },
    credentials: pickTexts(options, credentialOptions),
    mounts: readMounts(options),
    defaultField: text('default_field'),
    isFieldOnly: options.get('default_field_behavior') === 'only',
    isFieldJson: options.get('default_field_parse') === 'json',
    isStrict: isTrue(options.get('strict_mode')),
    guessesMount: isTrue(options.get('v2_guess_mount') ?? true),
    readsVersion1: isTrue(options.get('v1_lookup') ?? true),
    continuesIfMissing: isTrue(options.get('continue_if_not_found')),
    cacheFor: readSeconds(options.get('cache_for')),
    confined: confined && uniteRegexps(confined),
    stripped: (readOwnPatterns(options, 'strip_from_keys') ?? []).map((source) => new Regexp(source)),
    resources: uniteRegexps(resources),
  }
}

function readMounts(options: Hash): VaultOptions['mounts'] {
  const mounts = options.get('mounts')
  if (!(mounts instanceof Hash)) return throwArgumentError('[hiera-vault] mounts must be a hash')
  if (mounts.has('generic')) throwArgumentError('[hiera-vault] generic is no longer valid - change to kv')
  return Array.from(mounts, ([mount, paths]) => [String(mount), [paths].flat().map(String)] as const)
}

function readSeconds(given: Value): number | undefined {
  if (given === undefined) return undefined
  const seconds = given instanceof Float ? given.value : given
  if (typeof seconds === 'number' || typeof seconds === 'bigint') return Number(seconds)
  return throwArgumentError(`[hiera-vault] invalid value for cache_for: '${String(given)}', should be a number or nil`)
}

function checkEnumeration(options: Hash, name: string, known: readonly string[]): void {
  const given = options.get(name)
  if (given === undefined || known.includes(given as string)) return
  const list = known.map((each) => `'${each}'`).join(',')
  throwArgumentError(`[hiera-vault] invalid value for ${name}: '${String(given)}', should be one of ${list}`)
}

function readOwnPatterns(options: Hash, option: string): readonly string[] | undefined {
  return readPatterns(options, option, 'hiera-vault', hieraVaultIssues.VAULT_PATTERN)
}

function isTrue(value: Value): boolean {
  return value !== undefined && value !== false
}
