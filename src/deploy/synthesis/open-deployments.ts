import type { BranchNaming } from '../../code/environments/environment-name.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { readFolder } from '../../code/git/object-writer.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { ModuleFetcher } from '../modules/fetched-module.ts'
import { type OpenModuleFetcher, openModuleFetcher } from '../modules/module-fetcher.ts'
import { getServerForge } from '../modules/server-forge.ts'
import { readModuleSources } from '../puppetfile/allowed-sources.ts'
import { PuppetfileEvaluator } from '../puppetfile/puppetfile-evaluator.ts'
import { readPuppetfile } from '../puppetfile/puppetfile-reader.ts'
import type { DeployParts } from './commit-deployment.ts'
import { Deployments, type DeployOptions } from './deployments.ts'
import { ServedDeployments, type ServedParts } from './server-deployments.ts'

/** Deployments of a repository, which must be closed. */
export interface OpenedDeployments {
  readonly deployments: Deployments
  close(): Promise<void>
}

/** Options for opening deployments. */
export interface DeploymentsOptions {
  /** Quarantine of the push, as in `GitPlace`; deployed objects are written to it. */
  readonly quarantine?: boolean | string
  readonly progress?: DeployOptions['progress']
  readonly naming?: BranchNaming
  readonly sourceBranch?: DeployParts['sourceBranch']
}

/** Opens deployments of a repository's commits. Fetchers and evaluators start with the first Puppetfile. */
export function openDeployments(
  source: GitObjectSource,
  settings: Settings,
  { quarantine = false, progress, naming, sourceBranch }: DeploymentsOptions = {},
): OpenedDeployments {
  const place = { gitDir: source.path, quarantine }
  const evaluator = new PuppetfileEvaluator(source)
  // Each fetched module has a ref, and git cannot write refs in a quarantine. After a rejected push, the modules remain
  // in the repository for the next push.
  const store = { ...place, quarantine: false }
  let opened: Promise<OpenModuleFetcher> | undefined
  const fetcher: ModuleFetcher = {
    place: store,
    async fetch(module, request) {
      opened ??= getServerForge(settings, localFiles).then((forge) => openModuleFetcher(store, settings, forge))
      return (await opened).fetch(module, request)
    },
  }
  const deployments = new Deployments(
    {
      ...{ source, place, fetcher, naming, sourceBranch },
      async read(bytes, { branch, environment, commit }) {
        const present = new Set((await readFolder(place, commit)).map(({ name }) => name))
        const sources = readModuleSources(settings.puppetfile_sources)
        return readPuppetfile(bytes, { evaluator, sources, branch, environment, commit, present })
      },
    },
    settings,
    progress,
  )
  return {
    deployments,
    async close() {
      await evaluator.close()
      const fetching = await opened?.catch(() => undefined)
      await fetching?.close()
    },
  }
}

/** Deployments of a served repository, which must be closed. */
export interface OpenedServedDeployments {
  readonly served: ServedDeployments
  close(): Promise<void>
}

/**
 * Opens deployments of the branches of a served repository; `undefined` if Puppetfiles are ignored.
 * Throws PUPPETFILE_SOURCES.
 */
export function openServedDeployments(
  source: GitObjectSource,
  settings: Settings,
  { sourceBranch, ...parts }: Pick<ServedParts, 'say' | 'decided' | 'shared'> & Pick<DeployParts, 'sourceBranch'>,
): OpenedServedDeployments | undefined {
  if (settings.puppetfile === 'ignore') return undefined
  // Reports an invalid setting at the start.
  readModuleSources(settings.puppetfile_sources)
  const { deployments, close } = openDeployments(source, settings, { sourceBranch })
  const served = new ServedDeployments({ deployments, intervalMs: settings.puppetfile_interval * 1000, ...parts })
  return {
    served,
    async close() {
      await served.close()
      await close()
    },
  }
}
