import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../../src/server/auth/token-file.ts'
import type { TokenScope } from '../../../src/server/auth/token-scopes.ts'
import { gitIdentity } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import type { Serving } from '../serving.ts'

/** How a client shows who it is. */
export interface Shown {
  /** The name of a certificate of the server's authority. */
  readonly as?: string
  /** A token, which git's credential helper tells when it is asked. */
  readonly token?: string
  /** Settings of git: `protocol.version=0`. */
  readonly config?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** What came of a git command. */
export interface Said {
  readonly status: number | null
  readonly out: string
  /** Standard error, with what the server said as it was said. */
  readonly said: string
}

/** A git that has begun. */
export interface Running {
  readonly pid: number
  readonly ended: Promise<Said>
  /** All that it has said until now. */
  said(): string
}

/** Real git clients of a server of this process, none of which reads a configuration of the user's. */
export class GitClients {
  readonly #serving: Pick<Serving, 'server' | 'settings' | 'credentials'>
  readonly #folder = scratchFolder('git-clients')

  constructor(serving: Pick<Serving, 'server' | 'settings' | 'credentials'>) {
    this.#serving = serving
  }

  /** The address of a repository. */
  address(name = 'code', user = ''): string {
    return `https://${user}localhost:${new URL(this.#serving.server.url).port}/git/${name}.git`
  }

  /** A folder for a clone that is not there yet. */
  place(name: string): string {
    return join(this.#folder, name)
  }

  token(name: string, ...scopes: TokenScope[]): Promise<string> {
    const { tokens } = getTokenPaths(this.#serving.settings)
    const request = { name, description: '', scopes, expires: undefined }
    return addToken(tokens, request, localSystem.files, Date.now())
  }

  async run(words: readonly string[], shown: Shown & { readonly cwd?: string } = {}): Promise<Said> {
    return (await this.start(words, shown)).ended
  }

  async start(words: readonly string[], shown: Shown & { readonly cwd?: string } = {}): Promise<Running> {
    const { as, token, config = [], env = {}, cwd = this.#folder } = shown
    const helper =
      token === undefined ? [] : ['credential.helper=!f() { echo username=any; echo "password=$TOKEN"; }; f']
    const settings = [...helper, ...config].flatMap((each) => ['-c', each])
    const child = spawn('git', [...settings, ...words], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...gitIdentity,
        GIT_TERMINAL_PROMPT: '0',
        GIT_SSL_CAINFO: this.#serving.settings.localcacert,
        ...(token !== undefined && { TOKEN: token }),
        ...(as !== undefined && (await this.#certificate(as))),
        ...env,
      },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    const status = new Promise<number | null>((done) => child.once('close', done))
    const heard = () => said.replace(/^remote: (.*?) *$/gm, '$1')
    const ended = Promise.all([status, text(child.stdout)]).then(([code, out]) => ({
      status: code,
      out,
      said: heard(),
    }))
    return { pid: child.pid!, ended, said: heard }
  }

  /** A clone with an identity; throws what git said where there is none. */
  async clone(name: string, shown: Shown, repository?: string): Promise<Clone> {
    const cwd = this.place(name)
    const { status, said } = await this.run(['clone', '--quiet', this.address(repository), cwd], shown)
    if (status !== 0) throw new Error(said)
    return new Clone(this, cwd, shown)
  }

  async #certificate(name: string): Promise<NodeJS.ProcessEnv> {
    const { key, cert } = await this.#serving.credentials(name)
    const file = (kind: string, pem: string) => {
      const path = join(this.#folder, `${name}.${kind}.pem`)
      writeFileSync(path, pem, { mode: 0o600 })
      return path
    }
    return { GIT_SSL_KEY: file('key', key), GIT_SSL_CERT: file('cert', cert) }
  }
}

/** A clone by HTTPS. */
export class Clone {
  readonly cwd: string
  readonly #clients: GitClients
  readonly #shown: Shown

  constructor(clients: GitClients, cwd: string, shown: Shown) {
    this.#clients = clients
    this.cwd = cwd
    this.#shown = shown
  }

  /** Runs git in it; throws what it said where it failed. */
  async git(...words: string[]): Promise<string> {
    const { status, out, said } = await this.#clients.run(words, { ...this.#shown, cwd: this.cwd })
    if (status !== 0) throw new Error(said)
    return out.trim()
  }

  async commit(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.cwd, path)), { recursive: true })
      writeFileSync(join(this.cwd, path), content)
    }
    await this.git('add', '-A')
    await this.git('commit', '-q', '--allow-empty', '-m', 'An edit')
    return this.git('rev-parse', 'HEAD')
  }

  push(...words: string[]): Promise<Said> {
    return this.pushing(...words).then(({ ended }) => ended)
  }

  /** A push that goes on. */
  pushing(...words: string[]): Promise<Running> {
    const options = words.filter((word) => word.startsWith('-'))
    const refs = words.filter((word) => !word.startsWith('-'))
    return this.#clients.start(['push', ...options, 'origin', ...refs], { ...this.#shown, cwd: this.cwd })
  }
}
