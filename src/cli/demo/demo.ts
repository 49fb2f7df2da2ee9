import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, execaSync } from 'execa'
import { createPuppetError, defineIssues } from '../../base/issue.ts'
import { programCommand } from '../../base/program/program-command.ts'
import { copyProgramFolder } from '../../base/program/program-files.ts'
import { defineCommand, type Io } from '../command/command.ts'

const issues = defineIssues({
  DEMO_FAILED: {
    text: (a: { step: string; reason: string }) => `The demo failed at: ${a.step}\n${a.reason}`,
    hint: () => "Use 'plumb demo --keep' to keep the scratch directory.",
  },
})

/** The command `plumb demo`. */
export const demo = defineCommand({
  name: 'demo',
  summary: 'Demonstrate a push, a catalog, an agent run and a second push in a scratch directory.',
  description: `Creates a scratch directory with a bare repository, a server with a new certificate authority, and two nodes with their
own root directories. Pushes code, runs the agents, pushes a change, and prints its effect. Everything stays in the
scratch directory and on the loopback interface. Exits with 0 if each step succeeds.`,
  options: [{ flags: '--keep', doc: 'Keep the scratch directory.' }],
  async run({ options, io }) {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'plumb-demo-')))
    const stage: Stage = { scratch, port: 0, io, say: createDemoOutput(io) }
    try {
      await runDemoSteps(stage)
      return 0
    } finally {
      stage.server?.kill('SIGTERM')
      await stage.server // the server may still write to the directory
      if (!options.keep) rmSync(scratch, { recursive: true, force: true })
    }
  },
})

const [plumb = '', ...plumbArguments] = programCommand
const example = fileURLToPath(new URL('../../../environments.example/', import.meta.url))
const hostName = 'localhost'
const first = 'demo.example.test'
const second = 'web2.example.test'

interface Stage {
  readonly scratch: string
  readonly io: Io
  readonly say: Say
  /** The port of the server, once the server listens. */
  port: number
  server?: PromiseLike<unknown> & { kill(signal: 'SIGTERM'): boolean }
}

interface Say {
  step(text: string): void
  line(text: string): void
  command(text: string): void
}

/** Runs the steps of the demo. */
async function runDemoSteps(stage: Stage): Promise<void> {
  const { say, scratch } = stage
  say.step('A bare repository with the branches production and staging')
  const work = await createRepository(stage)
  const before = await readRevision(work)
  say.line(`production is at ${before}`)

  say.step('A server with a new certificate authority, which serves the branches as environments')
  await startServer(stage)

  say.step(`The node ${first} enrolls and applies its first catalog`)
  await runAgent(stage, first, [], [2])
  say.step(`A second node, ${second}, does the same`)
  await runAgent(stage, second, [], [2])

  say.step('A push: one source file and one manifest change')
  await pushChange(stage, work)
  const after = await readRevision(work)
  say.line(`production was ${before}`)
  say.line(`production is  ${after}`)

  say.step(`${first} runs again, and applies only the changes of the new commit`)
  await runAgent(stage, first, ['--show_diff'], [2])

  say.step(`${second} lost its banner, and applies its cached catalog: it gets the file of the first commit`)
  const banner = join(getNodeRoot(stage, second), 'etc/motd.d/banner')
  rmSync(banner)
  await runAgent(stage, second, ['--use_cached_catalog'], [2])
  expectEqual('the banner of the cached catalog', readFileSync(banner, 'utf8'), readCommittedFile(work, before))
  expectEqual(
    'the banner of the new catalog',
    readFileSync(join(getNodeRoot(stage, first), 'etc/motd.d/banner'), 'utf8'),
    readCommittedFile(work, after),
  )
  say.line(`${first}: ${readCommittedFile(work, after).trim()}`)
  say.line(`${second}: ${readCommittedFile(work, before).trim()}`)

  say.step(`The effect of the push on ${first}: a comparison of its catalogs at both commits`)
  const facts = join(scratch, 'facts.json')
  writeFileSync(
    facts,
    (await runPlumb(stage, ['facts', '--render-as', 'json', ...listNodeFolderOptions(stage, first)], [0], true)).stdout,
  )
  const repository = join(scratch, 'code.git')
  await runPlumb(
    stage,
    ['catalog', 'diff', before, after, '--node', first, '--repo', repository, '--facts', facts],
    [0, 1, 2],
  )

  say.step('The node runs once more, without changes')
  await runAgent(stage, first, [], [0])
  say.step('Done. Next steps')
  say.line('Set up a server and your first node: docs/first-day.md, below /usr/share/doc/plumbline of the package.')
  say.line("Commands by group: 'plumb help'. Examine an installation: 'plumb doctor'.")
}

async function createRepository(stage: Stage): Promise<string> {
  const { scratch } = stage
  const bare = join(scratch, 'code.git')
  const work = join(scratch, 'work')
  await readGitOutput(scratch, 'init', '--quiet', '--bare', '--initial-branch=production', bare)
  await readGitOutput(scratch, 'init', '--quiet', '--initial-branch=production', work)
  await readGitOutput(work, 'remote', 'add', 'origin', bare)
  copyProgramFolder(join(example, 'production'), work)
  await commitAll(work, 'The first release')
  await readGitOutput(work, 'checkout', '--quiet', '-b', 'staging')
  copyProgramFolder(join(example, 'staging'), work)
  await commitAll(work, 'Try things out')
  await readGitOutput(work, 'checkout', '--quiet', 'production')
  // The hooks need the server's directories: post-receive waits until the server serves the push.
  await runPlumb(stage, ['code', 'install-hooks', bare, ...listServerFolderOptions(scratch)], [0])
  await pushBranches(stage, work, 'production', 'staging')
  return work
}

async function pushChange(stage: Stage, work: string): Promise<void> {
  writeFileSync(join(work, 'modules/site_files/files/banner.txt'), 'The banner of the second release.\n')
  const manifest = join(work, 'modules/profile/manifests/web.pp')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace("mode    => '0640'", "mode    => '0600'"))
  await commitAll(work, 'A new banner, and a file that only its owner reads')
  await pushBranches(stage, work, 'production')
}

/** Pushes branches, and prints the output of the hooks. */
async function pushBranches({ say, io }: Stage, work: string, ...branches: string[]): Promise<void> {
  say.command(`git push origin ${branches.join(' ')}`)
  const { stderr } = await runGit(work, 'push', '--quiet', 'origin', ...branches)
  if (stderr) io.out(indentText(stderr.replace(/ +$/gm, '')))
}

async function startServer(stage: Stage): Promise<void> {
  const { scratch, say, io } = stage
  const words = ['server', '--code_repo', join(scratch, 'code.git'), '--certname', hostName, '--autosign', 'true']
  words.push('--serverport', '0', '--bindaddress', '127.0.0.1')
  // The temporary directory may be on a small disk.
  words.push('--report_min_free_space', '0', '--bucket_min_free_space', '0')
  words.push(...listServerFolderOptions(scratch))
  say.command(`plumb ${words.join(' ')}`)
  const server = execa(plumb, [...plumbArguments, ...words], { stdin: 'ignore', buffer: false, reject: false })
  stage.server = server
  await new Promise<void>((resolve, reject) => {
    const errors: string[] = []
    server.stderr.on('data', (data: Buffer) => errors.push(data.toString()))
    server.stdout.on('data', (data: Buffer) => {
      io.out(indentText(data.toString()))
      const [, port] = /serving .*:(\d+)\n/.exec(data.toString()) ?? []
      if (port === undefined) return
      stage.port = Number(port)
      resolve()
    })
    server.once('exit', (status) =>
      reject(createDemoError('start the server', `exit status ${status}\n${errors.join('')}`)),
    )
  })
}

const listServerFolderOptions = (scratch: string): string[] => [
  '--confdir',
  join(scratch, 'server/etc'),
  '--vardir',
  join(scratch, 'server/var'),
]
const getNodeFolder = ({ scratch }: Stage, node: string): string => join(scratch, node)
const getNodeRoot = (stage: Stage, node: string): string => join(getNodeFolder(stage, node), 'root')

function listNodeFolderOptions(stage: Stage, node: string): string[] {
  const folder = getNodeFolder(stage, node)
  return ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', node]
}

async function runAgent(
  stage: Stage,
  node: string,
  extra: readonly string[],
  allowed: readonly number[],
): Promise<void> {
  mkdirSync(getNodeRoot(stage, node), { recursive: true })
  const words = [
    'agent',
    '--test',
    '--server',
    hostName,
    '--serverport',
    String(stage.port),
    ...listNodeFolderOptions(stage, node),
  ]
  await runPlumb(stage, [...words, '--agent_root', getNodeRoot(stage, node), ...extra], allowed)
}

/** Runs a plumb command, prints it with its output, and checks its exit status. */
async function runPlumb({ say, io }: Stage, words: readonly string[], allowed: readonly number[], quiet = false) {
  const color = io.color ? { FORCE_COLOR: '1' } : {}
  say.command(`plumb ${words.map((word) => (/[\s']/.test(word) ? `"${word}"` : word)).join(' ')}`)
  const result = await execa(plumb, [...plumbArguments, ...words], { reject: false, env: color })
  if (!quiet && result.stdout) io.out(indentText(result.stdout))
  if (result.stderr) io.out(indentText(result.stderr))
  if (!allowed.includes(result.exitCode ?? -1))
    throw createDemoError(`plumb ${words[0]}`, `exit status ${result.exitCode}`)
  return result
}

const readGitOutput = async (cwd: string, ...words: string[]): Promise<string> => (await runGit(cwd, ...words)).stdout

function runGit(cwd: string, ...words: string[]) {
  const person = { GIT_AUTHOR_NAME: 'Demo', GIT_AUTHOR_EMAIL: 'demo@example.test' }
  const env = {
    ...person,
    GIT_COMMITTER_NAME: 'Demo',
    GIT_COMMITTER_EMAIL: 'demo@example.test',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  return execa('git', words, { cwd, env })
}

async function commitAll(work: string, message: string): Promise<void> {
  await readGitOutput(work, 'add', '--all')
  await readGitOutput(work, 'commit', '--quiet', '--message', message)
}

const readRevision = (work: string): Promise<string> => readGitOutput(work, 'rev-parse', 'production')

function readCommittedFile(work: string, sha: string): string {
  return execaSync('git', ['show', `${sha}:modules/site_files/files/banner.txt`], {
    cwd: work,
    stripFinalNewline: false,
  }).stdout
}

function expectEqual(what: string, actual: string, expected: string): void {
  if (actual !== expected)
    throw createDemoError(what, `expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`)
}

const createDemoError = (step: string, reason: string): Error => createPuppetError(issues.DEMO_FAILED, { step, reason })

function createDemoOutput(io: Io): Say {
  const colorize = (code: string, text: string) => (io.color ? `\u001b[${code}m${text}\u001b[0m` : text)
  let count = 0
  return {
    step: (text) => io.out(`\n${colorize('1;36', `${++count}. ${text}`)}\n`),
    line: (text) => io.out(`  ${text}\n`),
    command: (text) => io.out(colorize('2', `  $ ${text}\n`)),
  }
}

const indentText = (text: string): string => text.replace(/^(?=.)/gm, '    ').replace(/\n?$/, '\n')
