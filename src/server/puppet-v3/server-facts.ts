import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { createImplementationFact } from '../../machine/settings/compatibility.ts'
import type { Settings } from '../../machine/settings/settings.ts'

/**
 * Returns the values of `$server_facts`, without the environment. Puppet:
 * indirector/catalog/compiler.rb, `set_server_facts`.
 */
export function createServerFacts({
  certname,
  compatibility,
}: Pick<Settings, 'certname' | 'compatibility'>): Readonly<Record<string, ExactJson>> {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses): readonly NetworkInterfaceInfo[] => addresses ?? [])
    .filter(({ internal }) => !internal)
  const ip = outside.find(({ family }) => family === 'IPv4')?.address
  const ip6 = outside.find(({ family, address }) => family === 'IPv6' && !address.startsWith('fe80'))?.address
  return {
    ...createImplementationFact(compatibility, 'serverimplementation'),
    serverversion: puppetVersion,
    servername: certname,
    ...(ip === undefined ? {} : { serverip: ip }),
    ...(ip6 === undefined ? {} : { serverip6: ip6 }),
  }
}
