import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { requestServerStatus } from '../../network/client/status-request.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'

/** Milliseconds until a server that does not respond counts as stopped. */
const patienceMs = 4000

/** States in which a server of this machine can be; `stopped` is one that does not respond. */
type ServerState = 'running' | 'starting' | 'stopping' | 'stopped'

const states: readonly string[] = ['running', 'starting', 'stopping'] satisfies readonly ServerState[]

/** The command `plumb server status`. */
export const serverStatus = defineCommand({
  name: 'status',
  summary: 'Print whether the server on this machine is running.',
  description: `Prints running, starting, stopping or stopped, which includes a server that does not respond within four seconds.
For health checks of containers and monitoring; the certificate of the server is not verified.

  plumb server status
  plumb server status --serverport 8141 --render-as json

Exits with 0 if the server is running, otherwise with 1.`,
  options: [renderAs],
  async run({ options: asked, settings: given, io }) {
    const state = await requestState(loadSettings({ given, runMode: 'server' }))
    io.out(asked.renderAs === 'json' ? `${JSON.stringify({ state })}\n` : `${state}\n`)
    return state === 'running' ? 0 : 1
  },
})

async function requestState({ bindaddress, serverport: port }: Settings): Promise<ServerState> {
  const host = ['*', '0.0.0.0', '::', ''].includes(bindaddress) ? '127.0.0.1' : bindaddress
  const { state = '' } = (await requestServerStatus({ host, port }, patienceMs)) ?? {}
  return states.includes(state) ? (state as ServerState) : 'stopped'
}
