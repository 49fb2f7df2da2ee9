import type { SrvRecord } from 'node:dns'
import { resolveSrv } from 'node:dns/promises'
import { getSystemErrorCode } from '../../base/system-error.ts'
import type { ServerAddress } from './server-choice.ts'

/** A service that can have SRV records in DNS: `_x-puppet._tcp.DOMAIN`. Puppet: http/dns.rb */
export type SrvService = 'puppet' | 'ca' | 'report'

/** Looks up the SRV records of a DNS name. */
export type LookUpSrv = (name: string) => Promise<readonly SrvRecord[]>

/** Looks up SRV records with this machine's DNS. */
export const lookUpSrv: LookUpSrv = (name) => resolveSrv(name)

/**
 * Returns the servers of a service from DNS, in the order in which they must be tried. If the service has no records,
 * returns the servers in the records of the service `puppet`.
 */
export async function resolveSrvAddresses(
  domain: string,
  service: SrvService,
  lookUp: LookUpSrv = lookUpSrv,
): Promise<readonly ServerAddress[]> {
  if (domain === '') return []
  const name = service === 'puppet' ? '_x-puppet' : `_x-puppet-${service}`
  const records = await resolveRecords(`${name}._tcp.${domain}`, lookUp)
  if (records.length === 0 && service !== 'puppet') return resolveSrvAddresses(domain, 'puppet', lookUp)
  return sortByPriority(records).map(({ name: host, port }) => ({ host, port }))
}

async function resolveRecords(name: string, lookUp: LookUpSrv): Promise<readonly SrvRecord[]> {
  try {
    return await lookUp(name)
  } catch (error) {
    // DNS errors (ENOTFOUND, ENODATA, an unavailable DNS server) are treated as an empty result, as in Puppet.
    if (getSystemErrorCode(error) === undefined) throw error
    return []
  }
}

/** Sorts records by priority; records with the same priority are in random order, weighted by their weight. */
function sortByPriority(records: readonly SrvRecord[]): SrvRecord[] {
  const drawPriority = ({ weight }: SrvRecord) => Math.random() ** (1 / (weight === 0 ? 1 : weight * 10))
  return records
    .map((record) => ({ record, drawn: drawPriority(record) }))
    .sort((a, b) => a.record.priority - b.record.priority || b.drawn - a.drawn)
    .map(({ record }) => record)
}
