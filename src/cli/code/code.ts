import { fileURLToPath } from 'node:url'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { programCommand } from '../../base/program/program-command.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { suggestEnvironments } from '../../code/environments/environment-suggestions.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { pinPrefix } from '../../code/git/ref-names.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import {
  getControlPath,
  requestFetch,
  requestGateSkip,
  requestUpdate,
  sendControlRequest,
} from '../../deploy/control/control-socket.ts'
import { parseUpdateReply } from '../../deploy/control/module-update-request.ts'
import { installHooks } from '../../deploy/hooks.ts'
import { getPusher } from '../../deploy/pusher.ts'
import { getSourceCommit } from '../../deploy/synthesis/deployed-commit.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { codeCheck } from './check.ts'
import { codeCoverage } from './coverage.ts'
import { codeFetch } from './fetch.ts'
import { codeFreeze, codeUnfreeze } from './freeze.ts'
import { codeImpact } from './impact.ts'
import { codeLock } from './lock.ts'
import { notifyOptions, notifyServerOfPush } from './notify.ts'
import { codeReview } from './review.ts'
import { codeSbom } from './sbom.ts'
import { codeSourcesCommand, printSources } from './sources.ts'
import { formatIsoSeconds, formatNothingServed, printStatuses } from './status.ts'
import { codeTraces } from './traces.ts'
import { codeUpdate, printUpdateResult } from './update.ts'

const issues = defineIssues({
  NOTHING_TO_SKIP: {
    text: (_: object) => '--skip-gate requires the names of environments',
    hint: () => "'plumb code status' lists environments with rejected commits.",
  },
  ENVIRONMENT_NOT_SERVED: {
    text: (a: { name: string; hint: string }) => `Could not find a directory environment named '${a.name}'`,
    hint: (a) => a.hint,
  },
})

const deployOptions = [
  { flags: '--skip-gate', doc: 'Deploy the named environments even if the gate rejected them or is still running.' },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb code`. */
export const codeCommand: CliCommand = {
  name: 'code',
  summary: 'Print the served code, and check, fetch and compare code.',
  commands: [
    codeCheck,
    {
      name: 'deploy',
      summary: 'Deploy new code on the running server, and wait until it is served.',
      description: `A server deploys new commits of its repository and of its code sources without this command; use it to wait for the
result. For named environments with a Puppetfile, also resolves the modules again, like 'plumb code update'.

Commits pushed without the hooks are tested on the nodes before they are served, like a push. --skip-gate deploys
commits that the gate rejected; the audit log records the user.

Exits with 0, or with 1 if a commit was rejected.

  plumb code deploy
  plumb code deploy production --skip-gate`,
      usage: '[environments...]',
      options: deployOptions,
      run: deployEnvironments,
    },
    codeFetch,
    codeFreeze,
    codeImpact,
    {
      name: 'install-hooks',
      summary: 'Install the pre-receive and post-receive hooks in a repository.',
      usage: '<repository>',
      async run({ args: [path = ''], settings, io }) {
        const source = await openRepository(path)
        const templates = fileURLToPath(new URL('../../../hooks', import.meta.url))
        for (const hook of await installHooks(source.path, { templates, command: programCommand, settings }))
          io.out(`${hook}\n`)
        await source.close()
        return 0
      },
    },
    codeLock,
    {
      name: 'notify',
      summary: 'Notify the running server, if any, about a push.',
      description:
        'Reads "<old> <new> <ref>" lines, the input of a post-receive hook, and prints the result of each deployment. Without a\nrunning server, does nothing.',
      options: notifyOptions,
      run: notifyServerOfPush,
    },
    {
      name: 'pins',
      summary: 'List the commits that are protected from pruning.',
      options: [repositoryOption, renderAs],
      run: listPins,
    },
    defineCommand({
      name: 'status',
      summary: 'Print the served commit of each environment, and rejected commits.',
      description: `Prints a line for each environment: the served commit, the time of its deployment, and the reason if a newer commit was
rejected. Warnings follow, indented. Then prints a line for each code source: the time of the last fetch, and errors.
Exits with 0, or with 1 if the server cannot read its repository.`,
      options: [renderAs],
      async run({ options, settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const path = getControlPath(settings)
        const code = (await sendControlRequest(path, 'status')) ?? throwNoRunningServer(path)
        printStatuses(code.environments, options.renderAs, io, code.sources)
        if (options.renderAs !== 'json') printSources(code.sources, io)
        if (code.environments.length === 0 && code.trouble === undefined)
          io.err(`${formatNothingServed(code.repository, settings)}\n`)
        if (code.trouble !== undefined) printMessage('Error', code.trouble, io)
        return code.trouble === undefined ? 0 : 1
      },
    }),
    codeReview,
    codeSbom,
    codeSourcesCommand,
    codeUnfreeze,
    codeUpdate,
    codeCoverage,
    codeTraces,
  ],
}

async function deployEnvironments({
  args,
  options,
  settings: given,
  io,
}: CommandInvocation<typeof deployOptions>): Promise<number> {
  const settings = loadSettings({ given, runMode: 'server' })
  const path = getControlPath(settings)
  if (options.skipGate && args.length === 0) throwIssue(issues.NOTHING_TO_SKIP, {})
  let code = (await sendControlRequest(path, 'status')) ?? throwNoRunningServer(path)
  const fetched = code.sources && (await requestFetch(path, {}))
  for (const { source, error } of fetched?.fetches ?? [])
    if (error !== undefined) printMessage('Warning', `Source ${source}: ${error}`, io)
  const failed = await updateModules(path, args, io)
  code = (await sendControlRequest(path, 'refresh')) ?? throwNoRunningServer(path)
  if (options.skipGate)
    for (const environment of args)
      code = (await requestGateSkip(path, { environment, pusher: getPusher(process.env) })) ?? code
  const { environments, repository } = code
  for (const name of args)
    if (!environments.some((each) => each.name === name))
      throwIssue(issues.ENVIRONMENT_NOT_SERVED, { name, hint: suggestEnvironments(name, environments, repository) })
  const statuses = environments.filter(({ name }) => args.length === 0 || args.includes(name))
  printStatuses(statuses, options.renderAs, io, code.sources)
  if (environments.length === 0) io.err(`${formatNothingServed(repository, settings)}\n`)
  return failed || statuses.some(({ refused }) => refused) ? 1 : 0
}

/**
 * Waits for modules, and resolves the modules of the named environments again. Returns true if a module could not be
 * fetched.
 */
async function updateModules(path: string, environments: readonly string[], io: Io): Promise<boolean> {
  const asked = { anew: environments.length > 0, environments, modules: [] }
  const answer = await requestUpdate(path, asked, (line) => io.err(`${toPrintable(line)}\n`))
  if (answer === undefined || answer === null) return false
  const { results } = parseUpdateReply(answer)
  for (const result of results) printUpdateResult(result, io, { all: false })
  return results.some(({ result }) => result === 'failed')
}

async function listPins(
  invocation: CommandInvocation<readonly [typeof repositoryOption, typeof renderAs]>,
): Promise<number> {
  const { options, io } = invocation
  const source = await openCodeRepository(loadCodeSettings(invocation))
  try {
    const heads = [...(await source.listRefs('refs/heads/')).commits]
    const kept = await Promise.all(
      [...(await source.listRefs(pinPrefix)).commits.values()].map(async (commit) => ({
        commit,
        time: await source.commitTime(commit),
        ...(await findPinnedBranches(source, commit, heads)),
      })),
    )
    kept.sort((a, b) => b.time - a.time || (a.commit < b.commit ? -1 : 1))
    if (options.renderAs === 'json') io.out(`${JSON.stringify(kept, undefined, 2)}\n`)
    else
      for (const { commit, time, branches, source: made } of kept) {
        const from = made === undefined ? '' : `with modules, from ${made}`
        io.out(`${[commit, formatIsoSeconds(time * 1000), branches.join(', '), from].join('  ').trimEnd()}\n`)
      }
    return 0
  } finally {
    await source.close()
  }
}

/** The branches at a pinned commit, or at the commit to which its modules were added. */
async function findPinnedBranches(
  source: GitObjectSource,
  commit: string,
  heads: readonly (readonly [string, string])[],
) {
  const made = await getSourceCommit({ gitDir: source.path, quarantine: false }, commit)
  const branches = heads
    .filter(([, head]) => head === (made ?? commit))
    .map(([name]) => name.replace('refs/heads/', ''))
  return { branches, ...(made !== undefined && { source: made }) }
}
