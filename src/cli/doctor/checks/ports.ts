import { createServer } from 'node:net'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { getControlPath, isServerListening } from '../../../deploy/control/control-socket.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('ports', {
  PORT_TAKEN: {
    severity: 'error',
    what: (a: { setting: string; port: number }) => `Another program listens on port ${a.port} (${a.setting})`,
    why: 'The server cannot start.',
    fix: (a) => `Find the program with 'ss -ltnp sport = :${a.port}' and stop it, or change ${a.setting}.`,
  },
  PORT_REFUSED: {
    severity: 'error',
    what: (a: { setting: string; port: number; why: string }) =>
      `Could not listen on port ${a.port} (${a.setting}): ${a.why}`,
    why: 'The server cannot start.',
    fix: (a) =>
      `Check bindaddress and ${a.setting}. Ports below 1024 need root or AmbientCapabilities=CAP_NET_BIND_SERVICE.`,
  },
})

/** Checks that the ports of the server are free, or in use by the server itself. */
export const portsCheck: Check = {
  name: 'ports',
  doc: 'ports of the server: free, or in use by the server itself',
  async run({ server }) {
    if (!server) return []
    const isRunning = await isServerListening(getControlPath(server))
    const wanted = [
      ['serverport', server.serverport, server.bindaddress],
      ['puppetdb_port', server.puppetdb_port, server.bindaddress],
      ['puppetdb_plain_port', server.puppetdb_plain_port, '127.0.0.1'],
    ] as const
    const found = await Promise.all(
      wanted.map(([setting, port, address]) => checkPort(setting, port, address, isRunning)),
    )
    return found.flat()
  },
}

async function checkPort(setting: string, port: number, address: string, isRunning: boolean): Promise<DoctorFinding[]> {
  if (port === 0) return []
  const error = await findListenError(port, address)
  if (error === undefined) return []
  if (getSystemErrorCode(error) !== 'EADDRINUSE')
    return [faults.PORT_REFUSED({ setting, port, why: formatError(error) })]
  // If the control socket accepts connections, the server itself listens on the port.
  return isRunning ? [] : [faults.PORT_TAKEN({ setting, port })]
}

function findListenError(port: number, address: string): Promise<Error | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    const host = address === '*' || address === '' ? {} : { host: address }
    server.listen({ port, exclusive: true, ...host }, () => server.close(() => done(undefined)))
  })
}
