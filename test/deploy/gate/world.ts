import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/** The program as it is shipped; `npm test` builds it first. */
const main = resolve(import.meta.dirname, '../../../dist/main.js')

/** The files of a commit by their paths; `undefined` takes one away. */
export type Edit = Readonly<Record<string, string | undefined>>

/** A push, as who pushes sees it. */
export interface Pushed {
  readonly status: number | null
  /** What git says, with the hook's lines as they were printed. */
  readonly said: string
}

/** A bare repository with our hooks, a working tree, and facts of nodes as a server keeps them. */
export class GateWorld {
  readonly folder: string
  readonly bare: string
  readonly work: string
  readonly #settings: readonly string[]

  constructor(folder: string, base: Edit, nodes: Readonly<Record<string, object>>, settings: readonly string[] = []) {
    this.folder = folder
    this.bare = join(folder, 'control.git')
    this.work = join(folder, 'work')
    const place = (name: string) => [`--${name}`, join(folder, name)]
    this.#settings = ['confdir', 'vardir', 'rundir'].flatMap(place).concat(settings)
    mkdirSync(this.work, { recursive: true })
    for (const [name, values] of Object.entries(nodes)) this.know(name, values)
    this.git('init', '-q', '--bare', '-b', 'production', this.bare)
    this.git('init', '-q', '-b', 'production')
    this.commit(base)
    this.git('push', '-q', this.bare, 'production')
    this.plumb('code', 'install-hooks', this.bare)
  }

  /** Keeps facts of a node where a server does. */
  know(name: string, values: object): void {
    const path = join(this.folder, 'vardir/server_data/facts', `${name}.json`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      JSON.stringify({ name, values, timestamp: '2026-11-23T00:00:00Z', expiration: '2027-11-23T00:00:00Z' }),
    )
  }

  plumb(...words: readonly string[]): string {
    const env = { ...process.env, NO_COLOR: '1' }
    return execFileSync(process.execPath, [main, ...words, ...this.#settings], {
      encoding: 'utf8',
      env,
      cwd: this.work,
    })
  }

  /** A command that asks the server of this process; what it says. */
  async asking(...words: readonly string[]): Promise<string> {
    const env = { ...process.env, NO_COLOR: '1' }
    const child = spawn(process.execPath, [main, ...words, ...this.#settings], { env, cwd: this.work })
    const said = await Promise.all([text(child.stdout), text(child.stderr)])
    return said.join('')
  }

  /** The settings of a server of this world. */
  get serverSettings(): Readonly<Record<string, string>> {
    const place = (name: string) => join(this.folder, name)
    const places = { confdir: place('confdir'), vardir: place('vardir'), rundir: place('rundir') }
    return { code_repo: this.bare, gate: 'refuse', ...places }
  }

  git(...words: readonly string[]): string {
    const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null' }
    return execFileSync('git', words, {
      cwd: this.work,
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }

  commit(edit: Edit): string {
    for (const [path, content] of Object.entries(edit)) {
      const file = join(this.work, path)
      if (content === undefined) rmSync(file)
      else {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, content)
      }
    }
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', 'An edit')
    return this.git('rev-parse', 'HEAD')
  }

  /** The commit that a branch of the repository is at; empty where there is none. */
  at(branch = 'production'): string {
    return this.git('--git-dir', this.bare, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
  }

  push(words: readonly string[] = ['HEAD:production'], env: NodeJS.ProcessEnv = {}): Promise<Pushed> {
    return this.pushing(words, env).ended
  }

  /** A push that goes on. */
  pushing(
    words: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): { readonly ended: Promise<Pushed>; readonly pid: number } {
    const options = words.filter((word) => word.startsWith('-'))
    const refs = words.filter((word) => !word.startsWith('-'))
    const child = spawn('git', ['push', ...options, this.bare, ...refs], {
      ...{ cwd: this.work, stdio: ['ignore', 'ignore', 'pipe'] },
      env: { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null', ...env },
    })
    const status = new Promise<number | null>((done) => child.once('close', done))
    const ended = Promise.all([status, text(child.stderr!)]).then(([code, said]) => ({
      status: code,
      said: said.replace(/^remote: (.*?) *$/gm, '$1'),
    }))
    return { ended, pid: child.pid! }
  }

  /** Takes the working tree back to what the repository has. */
  reset(): void {
    this.git('reset', '-q', '--hard', this.at())
    this.git('clean', '-qfd')
  }
}

const who = {
  ...{ GIT_AUTHOR_NAME: 'Somebody', GIT_AUTHOR_EMAIL: 'somebody@example.test' },
  ...{ GIT_COMMITTER_NAME: 'Somebody', GIT_COMMITTER_EMAIL: 'somebody@example.test' },
}
