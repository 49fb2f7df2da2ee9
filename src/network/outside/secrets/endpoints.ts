import { throwIssue } from '../../../base/issue.ts'
import { secretRefusals } from './issues.ts'

/**
 * Services that store secrets or issue tokens, with their public addresses. A name in braces is a part that the caller
 * gives. The setting `external_secret_endpoints` replaces an address.
 */
const publicEndpoints = {
  secretsmanager: 'https://secretsmanager.{region}.{domain}',
  ssm: 'https://ssm.{region}.{domain}',
  kms: 'https://kms.{region}.{domain}',
  'azure-vault': 'https://{vault}.{domain}',
  'azure-login': 'https://{login}',
  'azure-metadata': 'http://169.254.169.254',
  'azure-arc': 'http://127.0.0.1:40342',
  'google-secrets': 'https://secretmanager.googleapis.com',
  'google-kms': 'https://cloudkms.googleapis.com',
  'google-login': 'https://oauth2.googleapis.com',
  'google-metadata': 'http://metadata.google.internal',
} as const

/** A service with a fixed or configured address. */
export type SecretService = keyof typeof publicEndpoints

/** Returns the URL of a path of a service. The parts must not lead to another host. */
export type FindEndpoint = (service: SecretService, parts: Readonly<Record<string, string>>, path: string) => URL

/** Reads `SERVICE=URL` entries of the setting. Throws SECRET_ENDPOINT. */
export function createEndpoints(given: readonly string[]): FindEndpoint {
  const own = new Map(given.map(parseEntry))
  return (service, parts, path) => {
    const template: string = own.get(service) ?? publicEndpoints[service]
    return new URL(template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '') + path)
  }
}

function parseEntry(entry: string): readonly [service: string, template: string] {
  const [service = '', ...rest] = entry.split('=')
  const template = rest.join('=').replace(/\/$/, '')
  const isUrl = /^https?:\/\/[^\s/]/.test(template) && URL.canParse(template.replaceAll(/[{}]/g, ''))
  if (!Object.hasOwn(publicEndpoints, service) || !isUrl)
    throwIssue(secretRefusals.SECRET_ENDPOINT, { entry, known: Object.keys(publicEndpoints) })
  return [service, template]
}
