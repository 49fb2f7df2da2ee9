import { lookup, reverse } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { systemCode } from '../../../base/system-error.ts'
import { errorText } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { defineFaults, type Finding } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('names', {
  CERTNAME_UNRESOLVED: {
    severity: 'warning',
    what: (a: { certname: string; why: string }) => `The certname '${a.certname}' has no address: ${a.why}`,
    why: 'Nodes reach this server by a name of its certificate.',
    fix: (a) => `Add '${a.certname}' to the DNS, or to /etc/hosts here and on the nodes.`,
  },
  CERTNAME_REVERSE: {
    severity: 'warning',
    what: (a: { certname: string; address: string; names: string }) =>
      `The address ${a.address} of '${a.certname}' leads back to ${a.names}`,
    why: 'Logs and facts name this host otherwise than its certificate does.',
    fix: (a) => `Have the PTR record of ${a.address} say '${a.certname}'.`,
  },
  SERVER_UNRESOLVED: {
    severity: 'error',
    what: (a: { server: string; why: string }) => `The server '${a.server}' has no address: ${a.why}`,
    why: 'This node gets no catalog.',
    fix: () => "'plumb config set server NAME --section agent', or add it to the DNS.",
  },
  SERVER_UNREACHABLE: {
    severity: 'error',
    what: (a: { server: string; port: number; why: string }) => `Nobody answers at ${a.server}:${a.port}: ${a.why}`,
    why: 'This node gets no catalog.',
    fix: () =>
      "Start the server, or let its port through the firewall: 'plumb config print server serverport --section agent'.",
  },
  SERVER_UNTRUSTED: {
    severity: 'error',
    what: (a: { server: string; port: number; why: string }) =>
      `The server at ${a.server}:${a.port} is not trusted: ${a.why}`,
    why: 'This node tells it nothing, and takes nothing from it.',
    fix: () => "Ask it by a name of its certificate, or fetch the authority's: 'plumb ssl bootstrap'.",
  },
})

const patienceMs = 5_000

/** Names in the DNS, and the server's answer by its name. */
export const names: Check = {
  name: 'names',
  doc: 'the certname and the server in the DNS, forward and back, and whether the server answers',
  async run({ server, agent, system }) {
    return [...(server ? await ofCertname(server) : []), ...(agent ? await ofServer(agent, system.files) : [])]
  },
}

async function ofCertname({ certname }: Settings): Promise<Finding[]> {
  const address = await addressOf(certname)
  if (typeof address !== 'string') return [faults.CERTNAME_UNRESOLVED({ certname, why: address.why })]
  // What the resolver does not answer is no wrong name: a machine may have none.
  const back = await reverse(address).catch((): string[] => [])
  if (back.length === 0 || back.includes(certname) || isLoopback(address)) return []
  return [faults.CERTNAME_REVERSE({ certname, address, names: back.slice(0, 3).join(', ') })]
}

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')

async function ofServer({ server, serverport: port, localcacert }: Settings, files: Files): Promise<Finding[]> {
  const address = await addressOf(server)
  if (typeof address !== 'string') return [faults.SERVER_UNRESOLVED({ server, why: address.why })]
  const trouble = await troubleWith(server, port, await files.readText(localcacert).catch(() => undefined))
  if (trouble === undefined) return []
  return [faults[trouble.trusted ? 'SERVER_UNREACHABLE' : 'SERVER_UNTRUSTED']({ server, port, why: trouble.why })]
}

async function addressOf(name: string): Promise<string | { readonly why: string }> {
  if (isIP(name)) return name
  try {
    return (await lookup(name)).address
  } catch (error) {
    return { why: systemCode(error) === 'ENOTFOUND' ? 'the name is not known' : errorText(error) }
  }
}

interface Trouble {
  readonly why: string
  /** False where somebody answered whom we do not trust. */
  readonly trusted: boolean
}

/** Whatever keeps us from speaking to a server; before there is an authority's certificate, any will do. */
function troubleWith(host: string, port: number, ca: string | undefined): Promise<Trouble | undefined> {
  return new Promise((done) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca }
    let isConnected = false
    const servername = isIP(host) ? '' : host
    const socket = connect({ host, port, servername, timeout: patienceMs, ...trust })
    const end = (trouble?: Trouble) => {
      done(trouble)
      socket.destroy()
    }
    socket.once('connect', () => (isConnected = true))
    socket.once('secureConnect', () => end())
    socket.once('timeout', () => end({ why: 'it does not answer in time', trusted: true }))
    socket.once('error', (error) => end({ why: errorText(error), trusted: !isConnected }))
  })
}
