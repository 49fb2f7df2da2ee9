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
    text: (_: object) => '--skip-gate needs the names of environments',
    hint: () => "'plumb code status' shows what is refused.",
  },
  ENVIRONMENT_NOT_SERVED: {
    text: (a: { name: string; hint: string }) => `Could not find a directory environment named '${a.name}'`,
    hint: (a) => a.hint,
  },
})

const deployOptions = [
  { flags: '--skip-gate', doc: 'Serve what the gate has refused, or still tries, in the environments that are named.' },
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
      summary: 'Has the running server look for new code, and waits until it serves it.',
      description: `A server follows its repository, and the sources of its code, by itself; this waits for it. The exit status is 1 when
code was refused.

Of environments that are named, and have a Puppetfile, the modules are looked at anew as 'plumb code update' does.

A commit that came to the repository past the hooks is tried with the nodes before it is served, as a push is. What
the gate refuses is served all the same with --skip-gate; the audit log has who wanted it.

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
      summary: 'Puts the pre-receive and post-receive hooks into a repository.',
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
      summary: 'Tells the running server that there is new code; does nothing when there is none.',
      description:
        'Reads "<old> <new> <ref>" lines, as git gives them to a post-receive hook, and tells what became of them.',
      options: notifyOptions,
      run: notify,
    },
    {
      name: 'pins',
      summary: 'Lists the commits that are kept from being pruned.',
      options: [repositoryOption, renderAs],
      run: pins,
    },
    defineCommand({
      name: 'status',
      summary: 'Shows which commit each environment serves, and what was refused.',
      description: `One line for each environment: the commit that is served, since when, and why not the newer one, if there is one.
Warnings follow, indented; then a line for each source of the code, where there are any: when it was fetched last, and
what is wrong with it. The exit status is 1 when the server cannot read its repository.`,
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

/** Waits for modules, and has those of named environments looked at anew; true where some could not be had. */
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

/** The branches at a pinned commit, or at the commit that it was made of. */
async function pinned(source: GitObjectSource, commit: string, heads: readonly (readonly [string, string])[]) {
  const made = await sourceOf({ gitDir: source.path, quarantine: false }, commit)
  const branches = heads
    .filter(([, head]) => head === (made ?? commit))
    .map(([name]) => name.replace('refs/heads/', ''))
  return { branches, ...(made !== undefined && { source: made }) }
}
