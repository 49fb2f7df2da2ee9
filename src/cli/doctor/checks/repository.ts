import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { findRepository } from '../../../code/git/git-command.ts'
import { openRepository } from '../../../code/git/repository-opener.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('repository', {
  REPOSITORY_UNREADABLE: {
    severity: 'error',
    what: (a: { path: string; why: string }) => `Could not read the repository of code_repo: ${a.why}`,
    why: 'No environment is served.',
    fix: () => "Create a bare repository there, or run 'plumb config set code_repo PATH --section server'.",
  },
  REPOSITORY_OWNER: {
    severity: 'warning',
    what: (a: { path: string; owner: number; user: number }) =>
      `${a.path} is owned by user ${a.owner}, but the files of the server by ${a.user}`,
    why: 'Git rejects repositories of other users (safe.directory), and the server cannot protect served commits from pruning.',
    fix: (a) => `Run 'chown -R ${a.user} ${a.path}'.`,
  },
  REPOSITORY_READ_ONLY: {
    severity: 'error',
    what: (a: { path: string }) => `Could not write refs in ${a.path}`,
    why: 'Served commits cannot be protected from pruning: after a force-push, agents may not find their files.',
    fix: (a) => `Mount the file system for writing, or run the server as the owner of ${a.path}.`,
  },
  REPOSITORY_DAMAGED: {
    severity: 'error',
    what: (a: { path: string; why: string }) => `Objects in ${a.path} are missing or damaged: ${a.why}`,
    why: 'Commits that contain these objects cannot be served.',
    fix: (a) => `List the objects with 'git -C ${a.path} fsck'. Push again from a complete clone, or restore a backup.`,
  },
  NO_BRANCH: {
    severity: 'warning',
    what: (a: { path: string }) => `${a.path} has no branches`,
    why: 'Each branch is an environment; without a branch, no environment is served.',
    fix: (a) => `Run 'git push ${a.path} HEAD:production' in a clone.`,
  },
  DEFAULT_ENVIRONMENT: {
    severity: 'warning',
    what: (a: { environment: string; branches: string }) =>
      `The branch '${a.environment}' does not exist; there are ${a.branches}`,
    why: `Nodes request this environment by default.`,
    fix: (a) =>
      `Push the branch '${a.environment}', or run 'plumb config set environment NAME --section agent' on the nodes.`,
  },
  DEFAULT_BRANCH: {
    severity: 'warning',
    what: (a: { path: string; head: string }) => `HEAD of ${a.path} is the branch '${a.head}', which does not exist`,
    why: "'git clone' checks out no files.",
    fix: (a) => `Run 'git -C ${a.path} symbolic-ref HEAD refs/heads/production'.`,
  },
  HOOK_MISSING: {
    severity: 'warning',
    what: (a: { file: string; path: string }) => `The hook ${a.file} does not exist`,
    why: 'Pushes are accepted without a check; invalid commits are then not served.',
    fix: (a) => `Run 'plumb code install-hooks ${a.path}'.`,
  },
  HOOK_BROKEN: {
    severity: 'error',
    what: (a: { file: string; path: string; why: string }) => `The hook ${a.file} cannot run: ${a.why}`,
    why: 'Git rejects each push, or accepts it without a check.',
    fix: (a) => `Run 'plumb code install-hooks ${a.path}'.`,
  },
})

/** Timeout of 'git fsck' in seconds; larger repositories are not checked. */
const fsckSeconds = 20
const fsckOutput = 64 * 1024
const mostNamed = 5
const prefix = 'refs/heads/'

/** Checks the repository of code_repo: access, integrity, owner, hooks and branches. */
export const repositoryCheck: Check = {
  name: 'repository',
  doc: 'the Git repository: access, integrity, owner, hooks, branches',
  async run({ server, system }) {
    if (!server || server.code_repo === '') return []
    try {
      const source = await openRepository(server.code_repo)
      try {
        const { path } = source
        const branches = [...(await source.listRefs(prefix)).commits.keys()].map((ref) => ref.slice(prefix.length))
        return [
          ...(await checkBranches(path, branches, server, system)),
          ...(await checkHooks(path, system)),
          ...(await checkOwner(path, server, system)),
          ...(await checkIntegrity(path, system)),
        ]
      } finally {
        await source.close()
      }
    } catch (error) {
      return [faults.REPOSITORY_UNREADABLE({ path: server.code_repo, why: formatError(error) })]
    }
  },
}

async function checkBranches(
  path: string,
  branches: readonly string[],
  { environment }: Settings,
  { files }: System,
): Promise<DoctorFinding[]> {
  if (branches.length === 0) return [faults.NO_BRANCH({ path })]
  const findings: DoctorFinding[] = []
  const [, head] = /^ref: refs\/heads\/(\S+)\s*$/.exec((await files.readText(join(path, 'HEAD'))) ?? '') ?? []
  if (head !== undefined && !branches.includes(head)) findings.push(faults.DEFAULT_BRANCH({ path, head }))
  const named = branches.slice(0, mostNamed).join(', ')
  if (!branches.includes(environment)) findings.push(faults.DEFAULT_ENVIRONMENT({ environment, branches: named }))
  return findings
}

async function checkHooks(path: string, { files }: System): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const name of ['pre-receive', 'post-receive']) {
    const file = join(path, 'hooks', name)
    const text = await files.readText(file)
    if (text === undefined) findings.push(faults.HOOK_MISSING({ file, path }))
    else {
      const why = await findHookProblem(file, text, files)
      if (why !== undefined) findings.push(faults.HOOK_BROKEN({ file, path, why }))
    }
  }
  return findings
}

/** Reason why a hook cannot run: its mode, or a program that does not exist. */
async function findHookProblem(file: string, text: string, files: System['files']): Promise<string | undefined> {
  const mode = (await files.stat(file))?.mode ?? 0
  if ((mode & 0o111) === 0) return 'it is not executable'
  // `plumb code install-hooks` writes a line with the quoted paths of the programs.
  const call = text.split('\n').find((line) => line.startsWith('plumb() {')) ?? ''
  for (const [, program = ''] of call.matchAll(/'(\/[^']{1,4096})'/g)) {
    if (call.includes(` '--`) && call.indexOf(`'${program}'`) > call.indexOf('"$@"')) break
    if ((await files.stat(program)) === undefined) return `${program} does not exist`
  }
  return undefined
}

async function checkOwner(
  path: string,
  { server_datadir, vardir }: Settings,
  { files }: System,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const owner = (await files.stat(join(path, 'objects')))?.uid
  const user = ((await files.stat(server_datadir)) ?? (await files.stat(vardir)))?.uid
  if (owner !== undefined && user !== undefined && owner !== user)
    findings.push(faults.REPOSITORY_OWNER({ path, owner, user }))
  const isWritable = await access(join(path, 'refs'), constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) findings.push(faults.REPOSITORY_READ_ONLY({ path }))
  return findings
}

async function checkIntegrity(path: string, { commands }: System): Promise<DoctorFinding[]> {
  if ((await commands.find('git')) === undefined) return []
  const { gitDir } = await findRepository(path)
  const { status, output, timedOut } = await commands.run(
    [
      'git',
      '-c',
      `safe.directory=${gitDir}`,
      `--git-dir=${gitDir}`,
      'fsck',
      '--connectivity-only',
      '--no-dangling',
      '--no-progress',
    ],
    {
      cwd: '/',
      timeout: fsckSeconds,
      maxOutput: fsckOutput,
      env: { LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0' },
    },
  )
  if (status === 0 || timedOut) return []
  const why =
    output.split('\n').find((line) => /^(?:error|fatal|missing|broken)/.test(line)) ?? output.split('\n')[0] ?? ''
  return [faults.REPOSITORY_DAMAGED({ path, why: why.slice(0, 300) })]
}
