import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { type Files, gitIdentity, writeFiles } from './control-repository.ts'
import { scratchFolder } from './scratch-folder.ts'

/** A host of Git repositories of the test's own: git's smart HTTP, by its own http-backend, on the loopback interface. */
export interface GitHost {
  /** `http://127.0.0.1:PORT`; a repository is at `URL/NAME.git`. */
  readonly url: string
  /** The folder of the repositories, each NAME.git: for who asks without HTTP. */
  readonly folder: string
  /** `METHOD PATH` of requests, in their order, with their queries. */
  readonly requests: readonly string[]
  /** Commits files on a branch, which is made where it is not there; answers the commit. */
  commit(name: string, files: Files, branch?: string): string
  /** Runs git in a repository. */
  git(name: string, ...words: string[]): string
  /** Adds a submodule to `main`: an entry of a tree that stands for a commit of another repository. */
  addGitlink(name: string, path: string, oid: string): void
  /** Wants `USER:PASSWORD` of everybody from now on; `undefined`: of nobody. */
  protect(credentials: string | undefined): void
  /** Does this before it answers; `true` where it has answered. */
  misbehave(how?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>): void
  close(): Promise<void>
}

/** Starts it without repositories. */
export async function openGitHost(): Promise<GitHost> {
  const folder = scratchFolder('git-host')
  const works = scratchFolder('git-works')
  const requests: string[] = []
  let credentials: string | undefined
  let misbehaviour: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () => false
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (await misbehaviour(request, response)) return
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
    if (wanted !== undefined && request.headers.authorization !== wanted)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    else backend(folder, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const run = (cwd: string, words: readonly string[]): string =>
    execaSync('git', words, { cwd, env: gitIdentity }).stdout
  const known = new Set<string>()
  const open = (name: string, branch: string) => {
    if (known.has(name)) return
    known.add(name)
    run(folder, ['init', '--quiet', '--bare', `--initial-branch=${branch}`, `${name}.git`])
    run(works, ['init', '--quiet', `--initial-branch=${branch}`, name])
    run(join(works, name), ['remote', 'add', 'origin', join(folder, `${name}.git`)])
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    requests,
    commit(name, files, branch = 'main') {
      open(name, branch)
      const work = join(works, name)
      if (run(work, ['branch', '--show-current']) !== branch)
        run(work, ['checkout', '--quiet', ...(run(work, ['branch', '--list', branch]) ? [branch] : ['-b', branch])])
      writeFiles(work, files)
      run(work, ['add', '--all', '--force'])
      run(work, ['commit', '--quiet', '--allow-empty', '--message', 'A change'])
      run(work, ['push', '--quiet', '--force', 'origin', branch])
      return run(work, ['rev-parse', 'HEAD'])
    },
    addGitlink(name, path, oid) {
      const work = join(works, name)
      run(work, ['update-index', '--add', '--cacheinfo', `160000,${oid},${path}`])
      run(work, ['commit', '--quiet', '--message', 'A submodule'])
      run(work, ['push', '--quiet', 'origin', 'main'])
    },
    git: (name, ...words) => run(join(folder, `${name}.git`), words),
    protect(given) {
      credentials = given
    },
    misbehave(how = () => false) {
      misbehaviour = how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Hands a request to git's CGI, and its answer back. */
function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://host')
  const env = {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    PATH_INFO: decodeURIComponent(pathname),
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    REMOTE_ADDR: '127.0.0.1',
    GIT_CONFIG_COUNT: '2',
    ...{ GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant', GIT_CONFIG_VALUE_0: 'true' },
    ...{ GIT_CONFIG_KEY_1: 'safe.directory', GIT_CONFIG_VALUE_1: '*' },
  }
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head: Buffer | undefined = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    if (!head) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head.subarray(0, end).toString().split('\r\n')
    const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    const { Status: status = '200', ...others } = Object.fromEntries(headers)
    response.writeHead(Number.parseInt(status, 10), others)
    response.write(head.subarray(end + 4))
    head = undefined
  })
  child.on('close', () => response.end())
  response.on('close', () => child.kill())
}
