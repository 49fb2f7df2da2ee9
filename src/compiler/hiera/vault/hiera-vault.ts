import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import { Hash } from '../../../language/values/hash.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import type { Value } from '../../../language/values/value.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import { matchesWholeKey, removeMatches } from '../key-patterns.ts'
import type { LookupContext } from '../lookup-context.ts'
import { askSecret } from '../secrets/ask-secret.ts'
import { hieraVaultIssues } from './issues.ts'
import { readVaultOptions, type VaultOptions } from './vault-options.ts'
import { expandPath, joinPath, listSecretPaths, type SecretPath } from './vault-paths.ts'

/**
 * The function `hiera_vault` for `lookup_key:`, with the options, results and messages of the module `hiera_vault`. The
 * server reads from Vault; the module's own function, which needs gems and a network, is not used.
 */
export const hieraVault = defineFunction('hiera_vault', 'Looks up a key in the KV engine of HashiCorp Vault.', {
  'Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context': (
    key: Value,
    options: Hash,
    context: LookupContext,
  ) => {
    const lookup = new VaultLookup(readVaultOptions(options), context)
    return lookup.find(String(key))
  },
})

class VaultLookup {
  readonly #options: VaultOptions
  readonly #context: LookupContext

  constructor(options: VaultOptions, context: LookupContext) {
    this.#options = options
    this.#context = context
  }

  find(given: string): Value {
    const { confined, stripped, resources, continuesIfMissing } = this.#options
    if (confined && !matchesWholeKey(confined, given)) {
      this.#explain(`Skipping hiera_vault backend because key '${given}' does not match confine_to_keys`)
      return this.#context.notFound()
    }
    const key = stripped.reduce((text, pattern) => removeMatches(text, pattern), given)
    this.#explain(`Client configured to connect to ${this.#options.address}`)
    const isFolder = matchesWholeKey(resources, key)
    const value = isFolder ? this.#findResources(key) : this.#findSecret(key)
    return value === undefined && continuesIfMissing ? this.#context.notFound() : value
  }

  /** Returns the first secret with this key in the order of the paths; ends the lookup if there is none. */
  #findSecret(key: string): Value {
    const { mounts, isStrict } = this.#options
    for (const [mount, paths] of mounts)
      for (const path of this.#interpolatePaths(paths)) {
        const shown = this.#interpolateText(joinPath(mount, path))
        this.#explain(`Looking in path ${shown} for ${key}`)
        const secret = this.#readFirst(listSecretPaths({ mount, path, key }, this.#options), shown)
        if (secret === undefined) continue
        this.#explain(`Read secret: ${key}`)
        const { found, value } = this.#selectField(secret)
        if (!found) return undefined
        if (value !== undefined) return value
      }
    if (isStrict) return failWithoutLocation(hieraVaultIssues.VAULT_MISSING, { key })
    return this.#context.notFound()
  }

  /** Reads all paths of one secret. If more than one exists, the last one is used, as in the module. */
  #readFirst(paths: readonly SecretPath[], shown: string): Hash | undefined {
    let secret: Value
    for (const { path, engine } of paths) {
      this.#explain(`Checking path: ${path}`)
      const data = getMember(this.#ask({ path }, shown), 'data')
      if (data === undefined) continue
      secret = convertJsonToValue(engine === 'v1' ? data : getMember(data, 'data'))
    }
    return secret instanceof Hash ? secret : undefined
  }

  /** Returns the field of the option `default_field`, or the whole secret. */
  #selectField(secret: Hash): { readonly found: boolean; readonly value?: Value } {
    const { defaultField: field, isFieldOnly, isFieldJson } = this.#options
    if (field === undefined || (isFieldOnly && !(secret.has(field) && secret.size === 1)))
      return { found: true, value: secret }
    if (!secret.has(field)) return { found: false }
    const value = secret.get(field)
    if (!isFieldJson || typeof value !== 'string') return { found: true, value }
    try {
      return { found: true, value: convertJsonToValue(parseJson(value)) }
    } catch {
      this.#explain('Could not parse string as json')
      return { found: true, value }
    }
  }

  /** Returns all secrets below the paths by name, for a key that matches `convert_paths_to_resources`. */
  #findResources(key: string): Value {
    const { mounts, isStrict } = this.#options
    const found: [string, Value][] = []
    for (const [mount, paths] of mounts)
      for (const path of this.#interpolatePaths(paths)) {
        const folder = `${this.#interpolateText(mount)}/${path}/${key}`
        this.#explain(`Looking in path ${folder} for resources`)
        const [engine = '', ...rest] = folder.split('/')
        const names = getMember(this.#ask({ path: joinPath(engine, 'metadata', ...rest), list: true }, folder), 'names')
        for (const listed of Array.isArray(names) ? names : []) {
          const name = String(listed).replaceAll('/', '')
          const answer = this.#ask({ path: joinPath(engine, 'data', ...rest, name) }, `${folder}/${name}`)
          found.push([name, convertJsonToValue(getMember(getMember(answer, 'data'), 'data') ?? null)])
        }
      }
    if (found.length > 0) return Hash.of(found)
    if (isStrict) return failWithoutLocation(hieraVaultIssues.VAULT_NO_RESOURCES, { key })
    return this.#context.notFound()
  }

  /** Returns the response of Vault; an empty object if Vault denies access and `strict_mode` is off. */
  #ask(wanted: { readonly path: string; readonly list?: boolean }, shown: string): ExactJson {
    const { address, namespace, credentials, cacheFor, isStrict } = this.#options
    const answer = askSecret(this.#context.invocation.context.host, {
      store: 'vault',
      ...{ ...wanted, address, credentials },
      ...(namespace !== undefined && { namespace }),
      ...(cacheFor !== undefined && { ttl: cacheFor }),
    })
    if (getMember(answer, 'ignored') === true) {
      this.#explain('token set to IGNORE-VAULT - Quitting early')
      return this.#context.notFound()
    }
    const refused = getMember(answer, 'refused')
    if (typeof refused === 'string') return throwArgumentError(`[hiera-vault] ${refused}`)
    const status = getMember(answer, 'status')
    if (status === undefined && getMember(answer, 'failure') === undefined) return answer
    const errors = String(getMember(answer, 'errors') ?? getMember(answer, 'failure'))
    // Only these errors mean that the secret may not be read; with any other error, its value is unknown.
    const isDenied = status === 400 || status === 403
    if (!isDenied) return failUnreachable(errors)
    this.#explain(`Could not read secret ${shown}: ${errors}`)
    if (isStrict) failWithoutLocation(hieraVaultIssues.VAULT_REJECTED, { path: shown, errors })
    return {}
  }

  #interpolatePaths(paths: readonly string[]): readonly string[] {
    return paths.flatMap((path) => expandPath(this.#interpolateText(path)))
  }

  #interpolateText(text: string): string {
    return String(this.#context.interpolate(text))
  }

  #explain(text: string): void {
    this.#context.invocation.explainer?.say(`[hiera-vault] ${text}`)
  }
}

function failUnreachable(errors: string): never {
  const isSealed = errors === 'Vault is sealed'
  const why = isSealed ? '[hiera-vault] vault is sealed' : errors
  return failWithoutLocation(hieraVaultIssues.VAULT_UNREACHABLE, { why })
}
