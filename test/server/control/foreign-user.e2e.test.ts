import { spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { getControlPath, isServerListening } from '../../../src/deploy/control/control-socket.ts'
import { serveControl } from '../../../src/server/control/control-server.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Connects to a socket as nobody, and prints the error or `connected`. */
async function connectAsNobody(path: string): Promise<string> {
  const script = `const socket = require('net').connect(${JSON.stringify(path)})
    socket.on('connect', () => (console.log('connected'), process.exit()))
    socket.on('error', ({ code }) => console.log(code))`
  const child = spawn(process.execPath, ['-e', script], { uid: 65534, gid: 65534, cwd: '/' })
  return (await text(child.stdout)).trim()
}

it.runIf(process.getuid?.() === 0)('another user of the machine cannot use the control socket', async () => {
  const directory = scratchFolder('control')
  const rundir = join(directory, 'run')
  const path = getControlPath({ rundir })
  const status = async () => ({ environments: [], repository: undefined, trouble: undefined })
  const control = await serveControl(path, { status, refresh: status, reload: status })
  for (const folder of [directory, rundir]) chmodSync(folder, 0o755)
  expect(await isServerListening(path)).toBe(true)
  expect(await connectAsNobody(path)).toBe('EACCES')
  // With another mode, the same client connects.
  chmodSync(path, 0o666)
  expect(await connectAsNobody(path)).toBe('connected')
  await control.close()
})
