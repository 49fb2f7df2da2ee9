import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { defineFacts } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readDmiValue } from './dmi.ts'
import { detectPlatform } from './virtual.ts'

const linkLocal = 'http://169.254.169.254'
/** Response timeout in milliseconds, as in Facter; the service runs on the same host. */
const patienceMs = 5000
/** Connect timeout in milliseconds, after which the service counts as absent. */
const connectMs = 600
/** Maximum number of metadata requests for one machine; an instance with ten interfaces needs two hundred. */
const maxRequests = 2000
/** Maximum length of a response in characters: user data has at most 16 KiB, Google's metadata a few hundred KiB. */
const maxLength = 4 * 1024 * 1024

/** A function that sends requests to the metadata services; tests replace the function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The body of a response, empty for an error status; undefined if the service is absent or times out. */
async function requestMetadata(
  fetch: Fetch,
  url: string,
  headers: Record<string, string>,
  method = 'GET',
  ms = patienceMs,
) {
  try {
    const answer = await fetch(url, { method, headers, redirect: 'error', signal: AbortSignal.timeout(ms) })
    const body = answer.status === 200 ? await answer.text() : ''
    return body.length > maxLength ? '' : body
  } catch {
    return undefined
  }
}

/** Amazon EC2 metadata: a tree of short texts, listed folder by folder. */
export async function readEc2Metadata(fetch: Fetch) {
  const lifetime = { 'X-aws-ec2-metadata-token-ttl-seconds': '100' }
  const token = await requestMetadata(fetch, `${linkLocal}/latest/api/token`, lifetime, 'PUT', connectMs)
  if (token === undefined) return {}
  const headers: Record<string, string> = token === '' ? {} : { 'X-aws-ec2-metadata-token': token }
  let left = maxRequests
  const readEntry = async (path: string) =>
    (left-- > 0 ? await requestMetadata(fetch, `${linkLocal}/latest/${path}`, headers) : undefined) ?? ''
  const readTree = async (path: string): Promise<Record<string, ExactJson>> => {
    const found: Record<string, ExactJson> = {}
    for (const row of (await readEntry(path)).split('\n').filter(Boolean)) {
      const name = /^(\d+)=/.exec(row) ? `${Number.parseInt(row, 10)}/` : row.trim()
      if (name === 'security-credentials/') continue
      if (name.endsWith('/')) found[name.slice(0, -1)] = await readTree(`${path}${name}`)
      else found[name] = (await readEntry(`${path}${name}`)).trim()
    }
    return found
  }
  const metadata = await readTree('meta-data/')
  if (Object.keys(metadata).length === 0) return {}
  return { metadata, userdata: (await readEntry('user-data/')).trim() || undefined }
}

/** Google Cloud metadata: one JSON document, in which resource paths are shortened to their last part. */
export async function readGceMetadata(fetch: Fetch): Promise<ExactJson | undefined> {
  const url = 'http://metadata.google.internal/computeMetadata/v1/?recursive=true&alt=json'
  const data = parseMetadata(
    await requestMetadata(fetch, url, { 'Metadata-Flavor': 'Google', Accept: 'application/json' }),
  )
  if (data === undefined) return undefined
  const getLastPart = (value: ExactJson | undefined) => (typeof value === 'string' ? value.split('/').at(-1) : value)
  const changeMember = (
    object: Json | undefined,
    key: string,
    change: (value: ExactJson | undefined) => ExactJson | undefined,
  ) => {
    const value = change(object?.[key])
    if (object && value !== undefined) object[key] = value
  }
  const instance = data['instance'] as Json | undefined
  for (const key of ['image', 'machineType', 'zone']) changeMember(instance, key, getLastPart)
  const interfaces = instance?.['networkInterfaces'] as readonly Json[] | undefined
  changeMember(interfaces?.[0], 'network', getLastPart)
  for (const part of [data['project'], instance] as (Json | undefined)[])
    for (const key of ['sshKeys', 'ssh-keys'])
      changeMember(part?.['attributes'] as Json | undefined, key, (keys) =>
        typeof keys === 'string' ? keys.trim().split('\n') : keys,
      )
  return data
}

type Json = Record<string, ExactJson>

function parseMetadata(body = ''): Json | undefined {
  try {
    const parsed = body === '' ? undefined : parseJson(body)
    return isExactObject(parsed) && Object.keys(parsed).length > 0 ? (parsed as Json) : undefined
  } catch {
    return undefined
  }
}

/** Azure metadata: one JSON document. */
export async function readAzureMetadata(fetch: Fetch): Promise<ExactJson | undefined> {
  return parseMetadata(
    await requestMetadata(fetch, `${linkLocal}/metadata/instance?api-version=2020-09-01`, { Metadata: 'true' }),
  )
}

/** Cloud facts; a metadata service is queried only if the hardware belongs to that cloud. */
export const cloud = defineCloudFacts((url, init) => fetch(url, init))

/** The type of virtual machine; and true if its firmware belongs to Google's cloud. */
interface CloudPlatform {
  readonly kind: string
  readonly isGoogle: boolean
}

async function readLinuxPlatform(machine: Machine): Promise<CloudPlatform> {
  const kind = await machine.once(detectPlatform)
  return { kind, isGoogle: (await readDmiValue(machine, 'bios_vendor'))?.includes('Google') === true }
}

/** Cloud facts that use `services` for requests, for the platform that `readPlatform` detects. */
export function defineCloudFacts(services: Fetch, readPlatform = readLinuxPlatform) {
  return defineFacts(
    ['cloud.provider', 'az_metadata', 'ec2_metadata', 'ec2_userdata', 'gce'],
    async (machine: Machine) => {
      const { kind, isGoogle } = await readPlatform(machine)
      const google = isGoogle ? await readGceMetadata(services) : undefined
      const az = kind === 'hyperv' ? await readAzureMetadata(services) : undefined
      const { metadata, userdata } = /kvm|xen|aws/.test(kind) ? await readEc2Metadata(services) : {}
      const amazon = metadata && ['kvm', 'xen', 'xenhvm', 'xenu'].includes(kind) ? 'aws' : undefined
      return {
        'cloud.provider': az ? 'azure' : (amazon ?? (kind === 'gce' && google ? 'gce' : undefined)),
        az_metadata: az,
        ec2_metadata: metadata,
        ec2_userdata: userdata,
        gce: google,
      }
    },
  )
}
