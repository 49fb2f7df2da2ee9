import type { SrvRecord } from 'node:dns'
import { resolveSrv } from 'node:dns/promises'
import { systemCode } from '../../base/system-error.ts'
import type { ServerAddress } from './choose-server.ts'

/** A service that DNS may name servers of: `_x-puppet._tcp.DOMAIN`. Puppet: http/dns.rb */
export type SrvService = 'puppet' | 'ca' | 'report'

/** The question to DNS. */
export type LookUpSrv = (name: string) => Promise<readonly SrvRecord[]>

/** DNS as this machine asks it. */
export const lookUpSrv: LookUpSrv = (name) => resolveSrv(name)

/** Servers of a service by DNS, in the order in which to try them; where the service has none, those of all services. */
export async function srvAddresses(
  domain: string,
  service: SrvService,
  lookUp: LookUpSrv = lookUpSrv,
): Promise<readonly ServerAddress[]> {
  if (domain === '') return []
  const name = service === 'puppet' ? '_x-puppet' : `_x-puppet-${service}`
  const records = await recordsOf(`${name}._tcp.${domain}`, lookUp)
  if (records.length === 0 && service !== 'puppet') return srvAddresses(domain, 'puppet', lookUp)
  return inOrder(records).map(({ name: host, port }) => ({ host, port }))
}

async function recordsOf(name: string, lookUp: LookUpSrv): Promise<readonly SrvRecord[]> {
  try {
    return await lookUp(name)
  } catch (error) {
    // ENOTFOUND, ENODATA, a server that does not answer: then there are none, as with Puppet.
    if (systemCode(error) === undefined) throw error
    return []
  }
}

/** By priority; within one by chance, in which weight counts. */
function inOrder(records: readonly SrvRecord[]): SrvRecord[] {
  const draw = ({ weight }: SrvRecord) => Math.random() ** (1 / (weight === 0 ? 1 : weight * 10))
  return records
    .map((record) => ({ record, drawn: draw(record) }))
    .sort((a, b) => a.record.priority - b.record.priority || b.drawn - a.drawn)
    .map(({ record }) => record)
}
