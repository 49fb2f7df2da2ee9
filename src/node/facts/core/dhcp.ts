import { readTextFile } from '../fact.ts'
import type { Machine } from '../machine.ts'

const dhclientFolders = ['/var/lib/dhclient', '/var/lib/dhcp', '/var/lib/dhcp3', '/var/lib/NetworkManager', '/var/db']
const networkManager = '/var/lib/NetworkManager'

/** The DHCP server of an interface, from the leases of systemd, dhclient, NetworkManager or dhcpcd. */
export async function findDhcpServer(
  machine: Machine,
  name: string,
  index: string | undefined,
): Promise<string | undefined> {
  return (
    (index === undefined
      ? undefined
      : parseLeaseServer(await readTextFile(machine, `/run/systemd/netif/leases/${index}`))) ??
    (await readDhclientServer(machine, name)) ??
    (await readNetworkManagerServer(machine, name)) ??
    (await readDhcpcdServer(machine, name))
  )
}

const parseLeaseServer = (lease = ''): string | undefined => /SERVER_ADDRESS=(.*)/.exec(lease)?.[1]

async function readDhclientServer(machine: Machine, name: string): Promise<string | undefined> {
  for (const folder of dhclientFolders)
    for (const file of (await machine.once(createFolderLister(folder))).filter((each) =>
      each.split('dhclient').slice(1).join('').includes('.lease'),
    )) {
      const lease = (await readTextFile(machine, `${folder}/${file}`)) ?? ''
      if (!lease.split('\n').some((row) => row.slice(Math.max(0, row.indexOf('interface'))).includes(name))) continue
      const server = /dhcp-server-identifier ([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)/.exec(lease)?.[1]
      if (server !== undefined) return server
    }
  return undefined
}

async function readNetworkManagerServer(machine: Machine, name: string): Promise<string | undefined> {
  const files = await machine.once(createFolderLister(networkManager))
  const lease = files.find((file) => file.includes('internal') && file.endsWith(`${name}.lease`))
  return lease && parseLeaseServer(await readTextFile(machine, `${networkManager}/${lease}`))
}

async function readDhcpcdServer(machine: Machine, name: string): Promise<string | undefined> {
  if ((await machine.once(findDhcpcd)) === undefined) return undefined
  return /dhcp_server_identifier='(.*)'/.exec(await machine.output(['dhcpcd', '-U', name]))?.[1]
}

const findDhcpcd = ({ commands }: Machine) => commands.find('dhcpcd')

const listings = new Map<string, (machine: Machine) => Promise<readonly string[]>>()

/**
 * Returns a function that lists a folder. Equal folders get the same function, so that
 * `Machine.once` caches the result.
 */
function createFolderLister(folder: string): (machine: Machine) => Promise<readonly string[]> {
  const question =
    listings.get(folder) ?? (async ({ files }: Machine) => (await files.list(folder).catch(() => [])) ?? [])
  listings.set(folder, question)
  return question
}
