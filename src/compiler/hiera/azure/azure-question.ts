import type { ExactJson } from '../../../base/json/exact-json.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'

/** Options of the functions that select the vault's API and how to log in. */
const credentialOptions = [
  ...['vault_api_version', 'metadata_api_version', 'service_principal_credentials', 'use_azure_arc_authentication'],
] as const

/** Creates the question to the server about a secret. */
export function createAzureQuestion(vault: string, path: string, options: Hash): ExactJson {
  const cloud = options.get('cloud_type')
  const given = credentialOptions.flatMap((name) => {
    const value = toJson(options.get(name))
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...{ store: 'azure', address: vault, path, credentials: Object.fromEntries(given) },
    ...(typeof cloud === 'string' && cloud !== 'AzureCloud' && { namespace: cloud }),
  }
}

function toJson(value: Value): ExactJson | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return value instanceof Hash
    ? Object.fromEntries(Array.from(value, ([name, item]) => [String(name), String(item)]))
    : undefined
}
