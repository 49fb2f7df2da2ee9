import { lookup, reverse } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('names', {
  CERTNAME_UNRESOLVED: {
    severity: 'warning',
    what: (a: { certname: string; why: string }) => `Could not resolve the certname '${a.certname}': ${a.why}`,
    why: 'Nodes connect to this server by a name in its certificate.',
    fix: (a) => `Add '${a.certname}' to DNS, or to /etc/hosts on this machine and on the nodes.`,
  },
  CERTNAME_REVERSE: {
    severity: 'warning',
    what: (a: { certname: string; address: string; names: string }) =>
      `The address ${a.address} of '${a.certname}' resolves to ${a.names}`,
    why: 'Logs and facts contain another name for this host than its certificate.',
    fix: (a) => `Set the PTR record of ${a.address} to '${a.certname}'.`,
  },
  SERVER_UNRESOLVED: {
    severity: 'error',
    what: (a: { server: string; why: string }) => `Could not resolve the server '${a.server}': ${a.why}`,
    why: 'This node receives no catalogs.',
    fix: () => "Run 'plumb config set server NAME --section agent', or add the name to DNS.",
  },
  SERVER_UNREACHABLE: {
    severity: 'error',
    what: (a: { server: string; port: number; why: string }) => `Could not connect to ${a.server}:${a.port}: ${a.why}`,
    why: 'This node receives no catalogs.',
    fix: () =>
      "Start the server, or open its port in the firewall. Check 'plumb config print server serverport --section agent'.",
  },
  SERVER_UNTRUSTED: {
    severity: 'error',
    what: (a: { server: string; port: number; why: string }) =>
      `The server at ${a.server}:${a.port} is not trusted: ${a.why}`,
    why: 'This node does not exchange data with the server.',
    fix: () => "Set server to a name in its certificate, or fetch the CA certificate with 'plumb ssl bootstrap'.",
  },
})

const patienceMs = 5_000

/** Checks the DNS names of this host and of the server, and the connection to the server. */
export const namesCheck: Check = {
  name: 'names',
  doc: 'forward and reverse DNS of the certname and the server, and the connection to the server',
  async run({ server, agent, system }) {
    return [
      ...(server ? await checkCertname(server) : []),
      ...(agent ? await checkServerName(agent, system.files) : []),
    ]
  },
}

async function checkCertname({ certname }: Settings): Promise<DoctorFinding[]> {
  const address = await resolveAddress(certname)
  if (typeof address !== 'string') return [faults.CERTNAME_UNRESOLVED({ certname, why: address.why })]
  // A missing PTR record is not an error.
  const back = await reverse(address).catch((): string[] => [])
  if (back.length === 0 || back.includes(certname) || isLoopbackAddress(address)) return []
  return [faults.CERTNAME_REVERSE({ certname, address, names: back.slice(0, 3).join(', ') })]
}

const isLoopbackAddress = (address: string): boolean => address === '::1' || address.startsWith('127.')

async function checkServerName(
  { server, serverport: port, localcacert }: Settings,
  files: Files,
): Promise<DoctorFinding[]> {
  const address = await resolveAddress(server)
  if (typeof address !== 'string') return [faults.SERVER_UNRESOLVED({ server, why: address.why })]
  const trouble = await findTlsError(server, port, await files.readText(localcacert).catch(() => undefined))
  if (trouble === undefined) return []
  return [faults[trouble.trusted ? 'SERVER_UNREACHABLE' : 'SERVER_UNTRUSTED']({ server, port, why: trouble.why })]
}

async function resolveAddress(name: string): Promise<string | { readonly why: string }> {
  if (isIP(name)) return name
  try {
    return (await lookup(name)).address
  } catch (error) {
    return { why: getSystemErrorCode(error) === 'ENOTFOUND' ? 'the name is unknown' : formatError(error) }
  }
}

interface Trouble {
  readonly why: string
  /** False if the server presented an untrusted certificate. */
  readonly trusted: boolean
}

/** The error of a TLS connection to a server. Without a CA certificate, any certificate is accepted. */
function findTlsError(host: string, port: number, ca: string | undefined): Promise<Trouble | undefined> {
  return new Promise((done) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca }
    let isConnected = false
    const servername = isIP(host) ? '' : host
    const socket = connect({ host, port, servername, timeout: patienceMs, ...trust })
    const finish = (trouble?: Trouble) => {
      done(trouble)
      socket.destroy()
    }
    socket.once('connect', () => (isConnected = true))
    socket.once('secureConnect', () => finish())
    socket.once('timeout', () => finish({ why: 'the connection timed out', trusted: true }))
    socket.once('error', (error) => finish({ why: formatError(error), trusted: !isConnected }))
  })
}
