import { readTextFile } from '../fact.ts'
import type { Machine } from '../machine.ts'

/** The host name of the kernel, and the domain from /etc/hosts, the resolver or resolv.conf. */
export async function readHostNames(machine: Machine) {
  const [host = '', ...rest] = machine.hostname.split('.')
  if (rest.length > 0) return { hostname: host, domain: rest.join('.'), fqdn: machine.hostname }
  const full = (await findNameInHosts(machine, host)) ?? (await machine.output(['hostname', '-f'])).trim()
  const named = full !== host && full.startsWith(`${host}.`) ? full : undefined
  const domain = named?.slice(host.length + 1) ?? (await readResolverDomain(machine))
  return { hostname: host, domain, fqdn: named ?? (domain === undefined ? host : `${host}.${domain}`) }
}

/** The full name in /etc/hosts, if nsswitch.conf(5) puts `files` first. */
async function findNameInHosts(machine: Machine, host: string): Promise<string | undefined> {
  const order = (await readTextFile(machine, '/etc/nsswitch.conf')) ?? ''
  if (!/^hosts:\s+files\b/m.test(order)) return undefined
  const rows = ((await readTextFile(machine, '/etc/hosts')) ?? '').split('\n')
  const named = rows.map((row) => row.replace(/#.*/, '').trim().split(/\s+/).slice(1))
  return named.find((each) => each.includes(host))?.[0]
}

async function readResolverDomain(machine: Machine): Promise<string | undefined> {
  const resolv = (await readTextFile(machine, '/etc/resolv.conf')) ?? ''
  return (/^domain\s+([^.\s]\S+)/m.exec(resolv) ?? /^search\s+([^.\s]\S+)/m.exec(resolv))?.[1]
}
