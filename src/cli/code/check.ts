import { text as readAll } from 'node:stream/consumers'
import { type Diagnostic, defineIssues, isIssue, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { getLineAndColumn } from '../../base/source.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import { resolveCommit } from '../../code/environments/git/commit-resolution.ts'
import { formatRejectionReason, reportPush } from '../../deploy/control/push-record.ts'
import { findForcedBranches } from '../../deploy/forced-pushes.ts'
import { checkCommit, checkPush, type PushFinding, readPushedRefs } from '../../deploy/push-check.ts'
import { deployAndCheckModules, deployPush } from '../../deploy/push-deployment.ts'
import { openDeployments } from '../../deploy/synthesis/open-deployments.ts'
import { settingIssues } from '../../machine/settings/kinds.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { raiseMemoryLimit } from '../../machine/system/memory-limit.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { readBranchNaming } from '../input/branch-naming.ts'
import { resolveCodeRange } from '../input/code-range.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { createModuleProgress } from '../input/fetch-progress.ts'
import { type GatedPush, testPushAtGate } from './gate-decision.ts'
import { testPushQuality } from './quality-decision.ts'

const issues = defineIssues({
  OLD_HOOK: {
    // Earlier versions read `--NAME false` as off; now `--NAME` turns the flag on.
    text: () => 'The hooks of this repository were installed by an earlier version, and contain `--NAME false`',
    hint: () => "Run 'plumb code install-hooks' again, with `--no-NAME`.",
  },
  HOOK_SETTINGS: {
    text: (a: { why: string }) => `The server cannot check pushes, because its settings are invalid: ${a.why}`,
    hint: () => "Your code is not the cause. Ask an administrator of the server, who can run 'plumb doctor' there.",
  },
})

const options = [
  repositoryOption,
  renderAs,
  { flags: '--stdin', doc: 'Read "<old> <new> <ref>" lines, the input of a pre-receive hook.' },
  { flags: '--since <ref>', doc: 'Check only files that differ from this commit, and compile no catalogs.' },
] as const satisfies readonly Option[]

/** The command `plumb code check`. */
export const codeCheck = defineCommand({
  name: 'check',
  summary: 'Validate the files of a push, and test the push on the known nodes.',
  description: `Parses every manifest, template and data file of a commit; with OLD..NEW or --stdin, only files that the push adds or
changes. If the commit has a Puppetfile, also fetches its modules and parses their changed files. If there are no errors
and two commits are given, tests the push on the nodes of its environment, like the pre-receive hook: compiles the
catalogs that may change, with both commits. If a catalog would no longer compile after the push, the settings gate,
gate_nodes and gate_budget determine whether the push is rejected. A running server does the compilation. With the
settings push_lint and push_format, it also checks the changed manifests like plumb lint and plumb format --check.

Exits with 1 if a file does not parse or the push is rejected, otherwise with 0.

  plumb code check production --repo /srv/code.git
  plumb code check production..feature
  plumb code check feature --since production`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, options: given, io } = invocation
    const settings = given.stdin === true ? loadHookSettings(invocation) : loadCodeSettings(invocation)
    if (given.stdin === true && args.includes('false')) throwIssue(issues.OLD_HOOK, {})
    if (given.stdin === true) await raiseMemoryLimit()
    const told = given.stdin === true ? readPushedRefs(await readAll(io.stdin)) : undefined
    // Git keeps pushed objects in quarantine until the hook exits with 0.
    const quarantine = told !== undefined
    const source = await openCodeRepository(settings, { quarantine })
    const naming = await readBranchNaming(source.path, settings, io)
    const { deployments, close } = openDeployments(source, settings, {
      quarantine,
      naming,
      progress: createModuleProgress(io),
    })
    const endNotice = scheduleWaitNotice(given.renderAs === 'json' ? undefined : io)
    try {
      const [name = 'HEAD'] = args
      if (told)
        return await checkPushedFiles({ source, deployments, naming, pushed: told, isHook: true }, settings, invocation)
      if (!name.includes('..')) return await checkCommitFiles({ source, deployments }, name, settings, invocation)
      const { from, to } = await resolveCodeRange(name, settings.environment, source)
      const ref = `${branches}${settings.environment}`
      const pushed = [{ ref, before: from.commit, after: to.commit }]
      return await checkPushedFiles({ source, deployments, naming, pushed, isHook: false }, settings, invocation)
    } finally {
      endNotice()
      await close()
      await source.close()
    }
  },
})

/** Milliseconds after which the pusher is notified that the check is still running. */
const noticeAfterMs = 2000

/** Prints a notice if the check takes long; returns a function that cancels it. */
function scheduleWaitNotice(io: Io | undefined): () => void {
  const timer = setTimeout(() => io?.err('Checking the push …\n'), noticeAfterMs)
  return () => clearTimeout(timer)
}

type Asked = CommandInvocation<typeof options>

/** Reads the settings for a hook. Errors go to the pusher, but only an administrator can correct them. Throws HOOK_SETTINGS. */
function loadHookSettings(invocation: Asked): Settings {
  try {
    return loadCodeSettings(invocation)
  } catch (error) {
    if (isIssue(error, settingIssues.INVALID_SETTING)) throwIssue(issues.HOOK_SETTINGS, { why: error.message })
    throw error
  }
}

/** Checks the files of one commit. */
async function checkCommitFiles(
  { source, deployments }: Pick<GatedPush, 'source' | 'deployments'>,
  name: string,
  settings: Settings,
  { options: { since: older, renderAs: format }, io }: Asked,
): Promise<number> {
  const commit = await resolveCommit(source, name)
  const since = older !== undefined ? [await resolveCommit(source, older)] : []
  const own = await checkCommit(source, commit, settings, since)
  const branch = { environment: settings.environment, ref: name, commit }
  const modules = own.some(isError) ? [] : await deployAndCheckModules({ deployments, settings, since }, branch)
  const findings = [...own, ...modules].map((diagnostic) => ({ ref: name, commit, diagnostic }))
  return printFindings(findings, [], { format, io })
}

/**
 * Checks the changed files of a push, runs the linter and the formatter, then the gate. Records rejections of pushes that a hook
 * received.
 */
async function checkPushedFiles(
  push: GatedPush,
  settings: Settings,
  { options: { renderAs: format }, io }: Asked,
): Promise<number> {
  const { source, pushed, naming, isHook } = push
  const forced = isHook ? await findForcedBranches(source, pushed, process.env) : []
  const own = forced.length > 0 ? forced : await checkPush(source, pushed, settings, naming)
  // Modules are not fetched if a file does not parse.
  const findings = own.some(({ diagnostic }) => isError(diagnostic))
    ? own
    : [...own, ...(await deployPush(push, settings))]
  const reason = formatRejectionReason(findings)
  if (reason !== undefined) {
    // Accepted pushes are recorded after the refs have moved, by `plumb code notify`.
    if (isHook) await reportPush(settings, { pushed, result: 'refused', reason })
    return printFindings(findings, [], { format, io })
  }
  const voice = { io, isQuiet: format === 'json' }
  const quality = await testPushQuality(push, settings, voice)
  const { refusal, gate, impacts } =
    quality.refusal === undefined
      ? await testPushAtGate(push, settings, voice)
      : { refusal: quality.refusal, gate: undefined, impacts: [] }
  const decisions = { gate, ...quality.decisions }
  if (isHook && Object.values(decisions).some((each) => each !== undefined)) {
    const result = refusal === undefined ? 'tried' : 'refused'
    await reportPush(settings, { pushed, result, reason: refusal, ...decisions })
  }
  const status = printFindings(findings, [...quality.documents, ...impacts], { format, io })
  return refusal === undefined ? status : 1
}

/** Prints the findings, in JSON with further documents, and returns 1 if one is an error. */
function printFindings(
  findings: readonly PushFinding[],
  documents: readonly string[],
  { format, io }: { readonly format: string; readonly io: Io },
): number {
  const errors = findings.filter(({ diagnostic }) => isError(diagnostic))
  if (format === 'json') {
    const texts = findings.map((finding) => JSON.stringify(findingToJson(finding), undefined, 2))
    io.out(`[${[...texts, ...documents].join(',\n')}]\n`)
  } else {
    for (const { diagnostic } of findings) printDiagnostic(diagnostic, io)
    const refs = [...new Set(errors.map(({ ref }) => ref.replace('refs/heads/', '')))]
    if (errors.length > 0)
      io.err(`${errors.length} error${errors.length === 1 ? '' : 's'} in ${toPrintable(refs.join(', '))}\n`)
  }
  return errors.length === 0 ? 0 : 1
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function findingToJson({ ref, commit, diagnostic: { code, severity, message, span, hint } }: PushFinding): Json {
  const place = span && { file: span.source.file, ...getLineAndColumn(span.source, span.start) }
  return { ref, commit, code, severity, message, ...place, hint }
}
