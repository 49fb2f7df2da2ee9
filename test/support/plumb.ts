import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { execa, type Result } from 'execa'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { selectRuby } from './native-ruby.ts'
import { scratchFolder } from './scratch-folder.ts'

/** The built command; `npm test` builds it first. */
export const plumbMain: string = resolve(import.meta.dirname, '../../dist/main.js')

/** Runs the real command to its end; a failing status is an answer. */
export async function plumb(words: readonly string[], options: { input?: string } = {}): Promise<Result> {
  return execa(process.execPath, [plumbMain, ...selectRuby(words)], { reject: false, ...options })
}

/** A server in its own process, with its own authority, on loopback. */
export interface RunningServer {
  readonly port: number
  readonly process: ChildProcess
  /** `--confdir … --vardir …`: so that `plumb ca` finds its authority. */
  readonly places: readonly string[]
  readonly confdir: string
  readonly vardir: string
  /** All it has printed. */
  output(): string
  stop(): Promise<number | null>
}

export interface ServerOptions {
  /** The repository that it serves; without one, what its settings name. */
  readonly repository?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** The folder of its confdir and vardir; one that was there before is another start of the same server. */
  readonly folder?: string
  /** How many files and sockets it may have open. */
  readonly descriptors?: number
}

/** Starts `plumb server` and waits until it says that it serves. Its name is `localhost`. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { repository, settings = {}, env = {}, folder = scratchFolder('server'), descriptors } = options
  const confdir = join(folder, 'etc')
  const vardir = join(folder, 'var')
  const places = ['--confdir', confdir, '--vardir', vardir]
  const own = {
    certname: 'localhost',
    ...(repository !== undefined && { code_repo: repository }),
    serverport: '0',
    bindaddress: '127.0.0.1',
    keylength: '2048',
    // Most tests ask nothing of a store, and look for facts in files.
    store: 'none',
    // Tests write refs past all hooks, and mean it.
    gate: 'off',
    ...settings,
  }
  const words = ['server', ...places, ...toCommandLineArguments(own)]
  const limited = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`]
  const [program = '', ...rest] = [...limited, process.execPath, plumbMain, ...words]
  const child = spawn(program, rest, { env: { ...process.env, ...env } })
  const said: string[] = []
  child.stdout.on('data', (data: Buffer) => said.push(data.toString()))
  child.stderr.on('data', (data: Buffer) => said.push(data.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const port = await new Promise<number>((ready, failed) => {
    child.stdout.on('data', () => {
      const [, port] = /serving .*:(\d+)\n/.exec(said.join('')) ?? []
      if (port !== undefined) ready(Number(port))
    })
    void ended.then((status) => failed(new Error(`plumb server ended with ${status}:\n${said.join('')}`)))
  })
  return {
    port,
    process: child,
    places,
    confdir,
    vardir,
    output: () => said.join(''),
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Asks a running server with a certificate of its authority; its own as a rule. */
export function askServer(
  { confdir, port }: Pick<RunningServer, 'confdir' | 'port'>,
  path: string,
  { as = 'localhost', accept = '*/*' } = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const file = (name: string) => readFileSync(join(confdir, 'ssl', name))
  const tls = { ca: file('certs/ca.pem'), cert: file(`certs/${as}.pem`), key: file(`private_keys/${as}.pem`) }
  return new Promise((done, failed) => {
    const asking = request({ host: 'localhost', port, path, headers: { accept }, ...tls }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      done({ status: answer.statusCode, text: String(Buffer.concat(chunks)) })
    })
    asking.on('error', failed)
    asking.end()
  })
}
