import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { openDirectoryEnvironments } from '../../code/environments/directory-environments.ts'
import { toEnvironmentName } from '../../code/environments/environment-name.ts'
import {
  type OpenedEnvironment,
  openCommit,
  openEnvironmentDirectory,
} from '../../code/environments/environment-opener.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import { checkCommit, formatFirstError } from '../../deploy/push-check.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { compileFleet, createFleet, createProgressCounter, type FleetFailure } from '../fleet/fleet.ts'
import { findEnvironmentFolder } from '../input/code-source.ts'
import { listKnownNodes } from '../input/environment-nodes.ts'
import { readExportedResources } from '../input/exported-resources.ts'
import { deployLocally } from '../input/local-deployment.ts'
import { createTrustedFactsReader } from '../input/node-certificates.ts'
import { classifyNode } from '../input/node-classification.ts'
import { openFleetQuerySources } from '../input/query-answers.ts'

/** The test result for the code of one environment. */
export interface EnvironmentTrial {
  readonly environment: string
  /** The reason why the environment cannot be served. */
  readonly refused: string | undefined
  /** Number of nodes whose catalogs were tested. */
  readonly nodes: number
  /** Compilation errors, each with its nodes. */
  readonly failures: readonly (FleetFailure & { readonly nodes: readonly string[] })[]
}

/** An environment to test. */
interface Candidate {
  readonly name: string
  /** Opens and checks all code. Throws the reason why the environment cannot be served. */
  open(): Promise<OpenedEnvironment>
}

/**
 * Tests the code that a server with these settings would serve: checks every file, and compiles the catalogs of the
 * known nodes.
 */
export async function testEnvironments(
  settings: Settings,
  { io, compiles }: { readonly io: Io; readonly compiles: boolean },
): Promise<readonly EnvironmentTrial[]> {
  const candidates =
    settings.code_repo === '' ? await listFolderCandidates(settings) : await listCommitCandidates(settings, io)
  const nodes = compiles ? (await listKnownNodes(settings)).slice(0, settings.gate_nodes) : []
  const assigned = await listAssignedEnvironments(nodes, settings)
  const trials: EnvironmentTrial[] = []
  for (const candidate of candidates) {
    const own = nodes.filter((node) => (assigned.get(node) ?? candidate.name) === candidate.name)
    trials.push(await testEnvironment(candidate, own, settings, io))
  }
  return trials
}

async function testEnvironment(
  { name, open }: Candidate,
  nodes: readonly string[],
  settings: Settings,
  io: Io,
): Promise<EnvironmentTrial> {
  const trial = { environment: name, nodes: nodes.length, failures: [], refused: undefined }
  let opened: OpenedEnvironment
  try {
    opened = await open()
  } catch (error) {
    return { ...trial, nodes: 0, refused: formatError(error) }
  }
  if (nodes.length === 0) return trial
  const own: Settings = { ...settings, environment: name }
  const code = {
    opened: [opened],
    exports: await readExportedResources({ options: {} }, own),
    asked: await openFleetQuerySources({}, own, io),
  }
  const failed = new Map<string, FleetFailure>()
  const progress = createProgressCounter(nodes.length, io)
  const fleet = { ...createFleet(nodes, {}), trusted: createTrustedFactsReader(own) }
  await compileFleet(fleet, code, own, (node, [answer]) => {
    if (answer && 'error' in answer) failed.set(node, answer)
    else failed.delete(node)
    progress.done(node)
  })
  progress.clear()
  return { ...trial, failures: groupByError(failed) }
}

function groupByError(failed: ReadonlyMap<string, FleetFailure>): EnvironmentTrial['failures'] {
  const groups = new Map<string, FleetFailure & { readonly nodes: string[] }>()
  for (const [node, failure] of [...failed].sort()) {
    // Compilation errors end with the name of the node.
    const error = failure.error.replace(` on node ${node}`, '')
    const group = groups.get(error) ?? { error, hint: failure.hint, nodes: [] }
    group.nodes.push(node)
    groups.set(error, group)
  }
  return [...groups.values()].sort((one, other) => other.nodes.length - one.nodes.length)
}

async function listFolderCandidates(settings: Settings): Promise<readonly Candidate[]> {
  const names = await openDirectoryEnvironments(settings).list()
  return names.map((name) => ({
    name,
    open: () => openEnvironmentDirectory({ directory: findEnvironmentFolder(name, settings) ?? name, name }, settings),
  }))
}

async function listCommitCandidates(settings: Settings, io: Io): Promise<readonly Candidate[]> {
  const repository = settings.code_repo
  const source = await openRepository(repository)
  const refs = await source.listRefs(branches).finally(() => source.close())
  return [...refs.commits].map(([ref, commit]) => {
    const name = toEnvironmentName(ref.slice(branches.length))
    return {
      name,
      async open() {
        await checkCommitFiles(commit, settings)
        return openCommit({ repository, ref, name }, settings, (own) => deployLocally(own, settings, io))
      },
    }
  })
}

/** Throws the first error in a commit's files: the reason why a server would not serve the commit. */
async function checkCommitFiles(commit: string, settings: Settings): Promise<void> {
  const source = await openRepository(settings.code_repo)
  const problems = await checkCommit(source, commit, settings).finally(() => source.close())
  const reason = formatFirstError(problems)
  if (reason !== undefined) throw new Error(reason)
}

/** Environments that a classifier assigns to nodes. Nodes without an assignment may request any environment. */
async function listAssignedEnvironments(
  nodes: readonly string[],
  settings: Settings,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const node of nodes) {
    const { environment } = await classifyNode(node, [], settings).catch(() => ({ environment: undefined }))
    if (environment !== undefined) found.set(node, environment)
  }
  return found
}

/** True if every environment can be served and no catalog failed. */
export function hasNoFailures(trials: readonly EnvironmentTrial[]): boolean {
  return trials.every(({ refused, failures }) => refused === undefined && failures.length === 0)
}

/** Maximum number of node names in a line. */
const maxNames = 5

/** Formats the test results as lines of text. */
export function formatTrialLines(trials: readonly EnvironmentTrial[]): string[] {
  return trials.flatMap(({ environment, refused, nodes, failures }) => {
    const title = `Environment ${environment}:`
    if (refused !== undefined) return [`${title} cannot be served: ${toOneLine(refused)}`]
    const failed = failures.reduce((sum, each) => sum + each.nodes.length, 0)
    const verdict =
      nodes === 0
        ? 'can be served; no catalog was compiled'
        : `compiles for ${nodes - failed} of ${formatQuantity(nodes, 'node')}`
    const lines = failures.flatMap(({ error, hint, nodes: names }) => [
      `  ${formatQuantity(names.length, 'node')} (${formatShortList(names)}): ${toOneLine(error)}`,
      ...(hint === null ? [] : [`    ${toOneLine(hint)}`]),
    ])
    return [`${title} ${verdict}`, ...lines]
  })
}

function formatShortList(names: readonly string[]): string {
  const more = names.length - maxNames
  return [...names.slice(0, maxNames), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const toOneLine = (text: string): string => toPrintable(text.replaceAll('\n', ' '))
