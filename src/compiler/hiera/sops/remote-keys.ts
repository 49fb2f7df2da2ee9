import type { ExactJson } from '../../../base/json/exact-json.ts'
import { findEntry, type SopsMap } from './sops-tree.ts'

/** A recipient whose service decrypts the data key. */
export interface RemoteKey {
  readonly kind: RemoteKind
  /** The question to the server, without credentials. */
  readonly question: Readonly<Record<string, ExactJson>>
  /** Reason why the server cannot ask the service. */
  readonly obstacle?: string
}

/** Reads a text of a recipient; an empty text if it is missing. */
type ReadText = (name: string) => string

/** The kinds of such recipients, in the order of attempts; each returns the question about a recipient. */
const parsers = {
  kms: parseAwsKey,
  gcp_kms: (read: ReadText) => ({ store: 'google-kms', path: read('resource_id'), ciphertext: read('enc') }),
  azure_kv: parseAzureKey,
  hc_vault: (read: ReadText) => ({
    ...{ store: 'vault', address: read('vault_address'), ciphertext: read('enc') },
    path: `${read('engine_path')}/decrypt/${read('key_name')}`,
  }),
} as const

/** A kind of recipients in the metadata of SOPS. */
export type RemoteKind = keyof typeof parsers

/** All kinds. */
export const remoteKinds = Object.keys(parsers) as readonly RemoteKind[]

/** Reads a recipient of a kind. */
export function parseRemoteKey(kind: RemoteKind, map: SopsMap, read: ReadText): RemoteKey {
  const role = kind === 'kms' ? read('role') : ''
  return {
    ...{ kind, question: parsers[kind](read, map) },
    ...(role !== '' && { obstacle: `the role ${role} of a KMS key is not supported` }),
  }
}

/** The region is part of the ARN. */
function parseAwsKey(read: ReadText, map: SopsMap) {
  const arn = read('arn')
  const [, region = ''] = /^arn:aws[\w-]*:kms:([a-z0-9-]+):/.exec(arn) ?? []
  const context = findEntry(map, 'context')
  const entries = (context?.kind === 'map' ? context.entries : []).flatMap(([name, value]) =>
    value.kind === 'leaf' ? [[name, value.text] as const] : [],
  )
  return {
    ...{ store: 'aws-kms', address: region, path: arn, ciphertext: read('enc') },
    ...(entries.length > 0 && { context: Object.fromEntries(entries) }),
  }
}

/** The clouds of Azure, by the domains of their vaults. */
const azureClouds: Readonly<Record<string, string>> = {
  'vault.azure.net': 'AzureCloud',
  'vault.usgovcloudapi.net': 'AzureUSGovernment',
  'vault.azure.cn': 'AzureChinaCloud',
}

/** A vault with an address of another form has an empty name, which the server rejects. */
function parseAzureKey(read: ReadText) {
  const [, vault = '', domain = ''] = /^https:\/\/([a-zA-Z0-9-]+)\.([a-z.]+)\/?$/.exec(read('vault_url')) ?? []
  const cloud = Object.hasOwn(azureClouds, domain) ? azureClouds[domain]! : ''
  return {
    ...{ store: 'azure-keys', address: cloud === '' ? '' : vault, namespace: cloud, ciphertext: read('enc') },
    path: `${read('name')}/${read('version')}`,
  }
}
