import { rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import { readCommittedLock, resolveModules } from '../deploy/synthesis/deploy-commit.ts'
import { branchOf } from '../deploy/synthesis/deployments.ts'
import { lockText } from '../deploy/synthesis/lock.ts'
import { openDeployments } from '../deploy/synthesis/open-deployments.ts'
import { environmentOfBranch } from '../environments/environment-name.ts'
import { commitOf } from '../environments/git/commit-of.ts'
import { git } from '../git/git-command.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import type { Settings } from '../settings/settings.ts'
import { codeSettings, openCodeRepository, repositoryOption } from './code-source.ts'
import { defineCommand, type Io } from './command.ts'
import { moduleProgress } from './module-progress.ts'
import type { Option } from './options.ts'

const issues = defineIssues({
  NO_PUPPETFILE: { text: (a: { ref: string }) => `'${a.ref}' has no Puppetfile` },
})

const options = [
  repositoryOption,
  { flags: '--anew', doc: 'Look at all modules anew, also at those that the present lock has.' },
  { flags: '--module <name>', doc: 'Look at this module anew; others keep what the present lock has.', repeated: true },
  { flags: '--output <file>', doc: 'Write the lock to a file; by default it is printed.' },
] as const satisfies readonly Option[]

/** `plumb code lock` */
export const codeLock = defineCommand({
  name: 'lock',
  summary: 'Writes a Puppetfile.lock: what the words of a Puppetfile come to now.',
  description: `Fetches the modules of a branch's Puppetfile and prints, as JSON, what each came to: a commit, a version, and the id
of its tree. Committed as Puppetfile.lock beside the Puppetfile it holds them: a server takes exactly those trees, and
refuses a push whose lock does not fit its Puppetfile. What the present lock of the branch has, and still fits, is
kept.

  plumb code lock production > Puppetfile.lock
  plumb code lock --repo . --anew --output Puppetfile.lock
  plumb code lock --module stdlib --output Puppetfile.lock`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, options: given, io } = invocation
    const settings = codeSettings(invocation)
    const source = await openCodeRepository(settings)
    try {
      const ref = args[0] ?? 'HEAD'
      const names = given.module && given.module.length > 0 ? new Set(given.module) : undefined
      const anew = given.anew === true ? 'all' : names
      const text = await lockOf({ source, ref, anew }, settings, io)
      if (given.output === undefined) io.out(text)
      else await replaceFile(resolve(given.output), text)
      return 0
    } finally {
      await source.close()
    }
  },
})

interface AskedLock {
  readonly source: GitObjectSource
  readonly ref: string
  readonly anew: 'all' | ReadonlySet<string> | undefined
}

/** Throws NO_PUPPETFILE, and what is wrong with a module. */
async function lockOf({ source, ref, anew }: AskedLock, settings: Settings, io: Io): Promise<string> {
  const commit = await commitOf(source, ref)
  const branch = await branchAt(source, ref)
  const { deployments, close } = openDeployments(source, settings)
  try {
    const lock = await readCommittedLock(source, commit)
    const resolved = await resolveModules(deployments.parts, {
      ...{ commit, branch, environment: environmentOfBranch(branch), anew, withoutLock: true },
      known: lock && { source: commit, lock },
      progress: moduleProgress(io),
    })
    return lockText((resolved ?? fail(issues.NO_PUPPETFILE, { ref })).lock)
  } finally {
    await close()
  }
}

/** The branch of a ref; of HEAD the one that is checked out. */
async function branchAt({ path: gitDir }: GitObjectSource, ref: string): Promise<string> {
  if (branchOf(ref) !== 'HEAD') return branchOf(ref)
  const name = await git({ gitDir, quarantine: false }, ['symbolic-ref', '--short', '-q', 'HEAD']).catch(() => ref)
  return name.toString().trim()
}

async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.new`
  await writeFile(fresh, text, { flush: true })
  await rename(fresh, path)
}
