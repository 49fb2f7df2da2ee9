import { openDirectoryEnvironments } from '../../code/environments/directory-environments.ts'
import type { Environments } from '../../code/environments/environments.ts'
import { openGitEnvironments } from '../../code/environments/git/git-environments.ts'
import { CodeChecker } from '../../deploy/code-checker.ts'
import { openServedDeployments } from '../../deploy/synthesis/open-deployments.ts'
import type { ServedDeployments } from '../../deploy/synthesis/server-deployments.ts'
import { toPinoLevel } from '../logger.ts'
import { addEnvironmentMetrics } from '../metrics/state-metrics.ts'
import { recordDeployment } from '../sealing/open-audit.ts'
import { aheadPart } from './ahead.ts'
import { auditPart } from './audit.ts'
import { codePart } from './code.ts'
import { movedBranchesPart } from './gate/moved-branches.ts'
import { definePart, type PartValues } from './part.ts'
import { rolloutsPart } from './rollouts/rollouts.ts'
import { openSharing } from './shared-deployments.ts'
import type { StartParameters } from './start-parameters.ts'
import { storedCommitsPart } from './store.ts'
import { telemetryPart } from './telemetry.ts'

const needs = [
  telemetryPart,
  codePart,
  auditPart,
  aheadPart,
  storedCommitsPart,
  movedBranchesPart,
  rolloutsPart,
] as const

interface OpenedEnvironments {
  readonly environments: Environments
  /** Deployments of branches with a Puppetfile; undefined if Puppetfiles are not read. */
  readonly deployments: ServedDeployments | undefined
  close(): Promise<unknown>
}

/** The environments: branches of a repository, or folders. */
export const environmentsPart = definePart('environments', needs, async (parts) => {
  const { environments, deployments, close } = await openEnvironments(parts)
  const {
    code: { sources },
    telemetry,
  } = parts
  return {
    value: { environments, deployments },
    metrics: (registry) => addEnvironmentMetrics(registry, environments),
    async refresh() {
      await sources?.follow()
      telemetry.sources.keepOnly(sources?.names ?? [])
      await environments.refresh()
    },
    close,
  }
})

async function openEnvironments(parts: StartParameters & PartValues<typeof needs>): Promise<OpenedEnvironments> {
  const { settings, log, telemetry, audit, ahead, keptCommits, movedBranches, rollouts } = parts
  const { source, sources } = parts.code
  if (!source) {
    const environments = openDirectoryEnvironments(settings)
    return { environments, deployments: undefined, close: () => environments.close() }
  }
  const checker = new CodeChecker(source, settings)
  const sharing = sources && openSharing({ settings, log, source, sources })
  const deployer = openServedDeployments(source, settings, {
    shared: sharing?.deployments,
    sourceBranch: (environment) => sources?.getBranch(environment),
    say: (level, message) => log[level](message),
    decided: () => void opened?.refresh().catch(() => {}),
  })
  let opened: Environments | undefined
  const environments = await openGitEnvironments({
    ...{ source, settings, deployer: deployer?.served },
    check: (code, served) => checker.check(code, served),
    ...(movedBranches && { gate: (move) => movedBranches.pass(move) }),
    moving: (move, next, before) => rollouts.moving(move, next, before),
    assigned: (environment, certname) => rollouts.assigned(environment, certname),
    held: () => rollouts.held(),
    assignmentWarnings: (environment) => rollouts.warningsAbout(environment),
    changed(change) {
      if (change.result === 'gone') rollouts.gone(change.environment)
      recordDeployment(audit, change)
      telemetry.deployed(change)
      if (change.result !== 'refused') ahead.served(change.environment, change.new)
    },
    ahead: (environment) => ahead.getProgress(environment),
    ...(sharing && { lacking: sharing.lacking.find, unpinned: (commit) => void sharing.deployments.release(commit) }),
    named: (commits) => keptCommits.among(commits),
    pinnedFor: settings.code_pin_ttl * 1000,
    log: (level, message) => log[toPinoLevel(level)](message),
  })
  opened = environments
  // Closed concurrently: loading a commit waits for the checker and for modules.
  const close = () => Promise.all([environments.close(), checker.close(), deployer?.close(), sharing?.close()])
  return { environments, deployments: deployer?.served, close }
}
