import { join } from 'node:path'
import type { Settings } from '../../src/machine/settings/settings.ts'
import { OutsideRequests } from '../../src/network/outside/outside-requests.ts'
import { testSettings } from '../code/environments/settings.ts'
import type { Cloud } from './cloud.ts'

/** Requests with the settings of a server that allows all clouds, with a limit of milliseconds for a response. */
export function openCloudRequests(
  cloud: Cloud,
  folder: string,
  given: Partial<Settings> = {},
  limitMs = 60_000,
): OutsideRequests {
  const own = {
    ...{ external_lookups: ['aws', 'azure', 'google'] as const, external_secret_endpoints: cloud.endpoints },
    ...{ external_http_ca_file: join(folder, 'ca.pem'), eyaml_keydirs: [folder], external_lookup_ttl: 0 },
  }
  return new OutsideRequests({ ...testSettings({}), ...own, ...given }, { dnsMs: limitMs, httpMs: limitMs })
}

/** Asks for a secret as the compiler does. */
export async function askCloud(requests: OutsideRequests, question: object) {
  return JSON.parse(await requests.ask(JSON.stringify({ secret: { credentials: {}, ...question } })))
}
