import { fileURLToPath } from 'node:url'
import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { hintAboutAbsent } from '../../code/environments/absent-environment.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { pinPrefix } from '../../code/git/names.ts'
import { openRepository } from '../../code/git/open-repository.ts'
import { askControl, askToFetch, askToSkip, askToUpdate, controlPath } from '../../deploy/control/control.ts'
import { updateAnswerFrom } from '../../deploy/control/update-asked.ts'
import { installHooks } from '../../deploy/hooks.ts'
import { pusherOf } from '../../deploy/pusher.ts'
import { sourceOf } from '../../deploy/synthesis/synthesize.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type Command, defineCommand, type Invocation, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { noServer } from '../connection/no-server.ts'
import { codeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { codeCheck } from './check.ts'
import { codeCoverage } from './coverage.ts'
import { codeFetch } from './fetch.ts'
import { codeFreeze, codeUnfreeze } from './freeze.ts'
import { codeImpact } from './impact.ts'
import { codeLock } from './lock.ts'
import { notify, notifyOptions } from './notify.ts'
import { codeSbom } from './sbom.ts'
import { codeSources, showSources } from './sources.ts'
import { nothingServed, showStatuses, timeOf } from './status.ts'
import { codeTraces } from './traces.ts'
import { codeUpdate, sayResult } from './update.ts'

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

/** `plumb code` */
export const code: Command = {
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
      run: deploy,
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
        const command = [process.execPath, ...process.execArgv, process.argv[1] ?? '']
        for (const hook of await installHooks(source.path, { templates, command, settings })) io.out(`${hook}\n`)
        await source.close()
        return 0
      },
    },
    codeLock,
    {
      name: 'notify',
      summary: 'Notify the running server about a push; does nothing if no server runs.',
      description:
        'Reads "<old> <new> <ref>" lines, the input of a post-receive hook, and prints the result of each deployment.',
      options: notifyOptions,
      run: notify,
    },
    {
      name: 'pins',
      summary: 'List the commits that are protected from pruning.',
      options: [repositoryOption, renderAs],
      run: pins,
    },
    defineCommand({
      name: 'status',
      summary: 'Print the commit that each environment serves, and rejected commits.',
      description: `Prints a line for each environment: the served commit, the time of its deployment, and the reason if a newer commit was
rejected. Warnings follow, indented. Then prints a line for each code source: the time of the last fetch, and errors.
Exits with 0, or with 1 if the server cannot read its repository.`,
      options: [renderAs],
      async run({ options, settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const path = controlPath(settings)
        const code = (await askControl(path, 'status')) ?? noServer(path)
        showStatuses(code.environments, options.renderAs, io, code.sources)
        if (options.renderAs !== 'json') showSources(code.sources, io)
        if (code.environments.length === 0 && code.trouble === undefined)
          io.err(`${nothingServed(code.repository, settings)}\n`)
        if (code.trouble !== undefined) say('Error', code.trouble, io)
        return code.trouble === undefined ? 0 : 1
      },
    }),
    codeSbom,
    codeSources,
    codeUnfreeze,
    codeUpdate,
    codeCoverage,
    codeTraces,
  ],
}

async function deploy({ args, options, settings: given, io }: Invocation<typeof deployOptions>): Promise<number> {
  const settings = loadSettings({ given, runMode: 'server' })
  const path = controlPath(settings)
  if (options.skipGate && args.length === 0) fail(issues.NOTHING_TO_SKIP, {})
  let code = (await askControl(path, 'status')) ?? noServer(path)
  const fetched = code.sources && (await askToFetch(path, {}))
  for (const { source, error } of fetched?.fetches ?? [])
    if (error !== undefined) say('Warning', `Source ${source}: ${error}`, io)
  const failed = await settleModules(path, args, io)
  code = (await askControl(path, 'refresh')) ?? noServer(path)
  if (options.skipGate)
    for (const environment of args)
      code = (await askToSkip(path, { environment, pusher: pusherOf(process.env) })) ?? code
  const { environments, repository } = code
  for (const name of args)
    if (!environments.some((each) => each.name === name))
      fail(issues.ENVIRONMENT_NOT_SERVED, { name, hint: hintAboutAbsent(name, environments, repository) })
  const statuses = environments.filter(({ name }) => args.length === 0 || args.includes(name))
  showStatuses(statuses, options.renderAs, io, code.sources)
  if (environments.length === 0) io.err(`${nothingServed(repository, settings)}\n`)
  return failed || statuses.some(({ refused }) => refused) ? 1 : 0
}

/**
 * Waits for modules, and resolves the modules of the named environments again. Returns true if a module could not be
 * fetched.
 */
async function settleModules(path: string, environments: readonly string[], io: Io): Promise<boolean> {
  const asked = { anew: environments.length > 0, environments, modules: [] }
  const answer = await askToUpdate(path, asked, (line) => io.err(`${printable(line)}\n`))
  if (answer === undefined || answer === null) return false
  const { results } = updateAnswerFrom(answer)
  for (const result of results) sayResult(result, io, { all: false })
  return results.some(({ result }) => result === 'failed')
}

async function pins(invocation: Invocation<readonly [typeof repositoryOption, typeof renderAs]>): Promise<number> {
  const { options, io } = invocation
  const source = await openCodeRepository(codeSettings(invocation))
  try {
    const heads = [...(await source.listRefs('refs/heads/')).commits]
    const kept = await Promise.all(
      [...(await source.listRefs(pinPrefix)).commits.values()].map(async (commit) => ({
        commit,
        time: await source.commitTime(commit),
        ...(await pinned(source, commit, heads)),
      })),
    )
    kept.sort((a, b) => b.time - a.time || (a.commit < b.commit ? -1 : 1))
    if (options.renderAs === 'json') io.out(`${JSON.stringify(kept, undefined, 2)}\n`)
    else
      for (const { commit, time, branches, source: made } of kept) {
        const from = made === undefined ? '' : `with modules, from ${made}`
        io.out(`${[commit, timeOf(time * 1000), branches.join(', '), from].join('  ').trimEnd()}\n`)
      }
    return 0
  } finally {
    await source.close()
  }
}

/** The branches at a pinned commit, or at the commit to which its modules were added. */
async function pinned(source: GitObjectSource, commit: string, heads: readonly (readonly [string, string])[]) {
  const made = await sourceOf({ gitDir: source.path, quarantine: false }, commit)
  const branches = heads
    .filter(([, head]) => head === (made ?? commit))
    .map(([name]) => name.replace('refs/heads/', ''))
  return { branches, ...(made !== undefined && { source: made }) }
}
