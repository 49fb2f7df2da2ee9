import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { freePort } from '../../bench/free-port.js'
import { eventually } from './eventually.js'
import { scratchFolder } from './scratch-folder.ts'

/** The real ssh server of OpenSSH, where this machine has it. */
export const sshServer = '/usr/sbin/sshd'

/** An sshd on the loopback interface, for the user of the tests. */
export interface SshHost {
  /** `ssh://USER@127.0.0.1:PORT`: a path goes behind it. */
  readonly url: string
  /** A private key that it lets in, one that it does not, and a file that knows its key. */
  readonly key: string
  readonly otherKey: string
  readonly knownHosts: string
  close(): void
}

/** True where an sshd can be started. */
export function canServeSsh(): boolean {
  return existsSync(sshServer)
}

/** Starts it, and waits until it answers. */
export async function openSshHost(): Promise<SshHost> {
  const folder = scratchFolder('ssh')
  const file = (name: string) => join(folder, name)
  for (const name of ['host', 'client', 'other'])
    execaSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file(name)])
  writeFileSync(file('authorized'), readFileSync(file('client.pub')), { mode: 0o600 })
  const port = await freePort()
  const [type, key] = readFileSync(file('host.pub'), 'utf8').split(' ')
  writeFileSync(file('known_hosts'), `[127.0.0.1]:${port} ${type} ${key}\n`)
  // Its user for what comes before a login needs this folder; where we may not make it, it is there.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const options = [
    `HostKey=${file('host')}`,
    `AuthorizedKeysFile=${file('authorized')}`,
    'StrictModes=no',
    'UsePAM=no',
    'PasswordAuthentication=no',
    'PidFile=none',
    `ListenAddress=127.0.0.1:${port}`,
  ].flatMap((option) => ['-o', option])
  const child = spawn(sshServer, ['-D', '-e', '-f', '/dev/null', ...options], { stdio: 'ignore' })
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`sshd does not answer on port ${port}`)
    return answers(port)
  })
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    key: file('client'),
    otherKey: file('other'),
    knownHosts: file('known_hosts'),
    close: () => void child.kill(),
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => done(true) ?? socket.destroy())
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
  })
}
