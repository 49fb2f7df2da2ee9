import type { GitObjectSource } from '../../git/git-object-source.ts'
import { readFolder } from '../../git/write-objects.ts'
import type { Settings } from '../../settings/settings.ts'
import { openModuleFetcher } from '../modules/open-module-fetcher.ts'
import { readModuleSources } from '../puppetfile/module-sources.ts'
import { PuppetfileEvaluator } from '../puppetfile/puppetfile-evaluator.ts'
import { readPuppetfile } from '../puppetfile/read-puppetfile.ts'
import { Deployments, type DeployWay } from './deployments.ts'

/** Deployments of a repository, open for as long as they are asked. */
export interface OpenedDeployments {
  readonly deployments: Deployments
  close(): Promise<void>
}

/** Options of opened deployments. */
export interface DeploymentsOptions {
  /** As of `GitPlace`: what is deployed goes where the push is. */
  readonly quarantine?: boolean | string
  readonly progress?: DeployWay['progress']
}

/** What deploys commits of a repository, as the settings say; nothing is started before a Puppetfile is met. */
export function openDeployments(
  source: GitObjectSource,
  settings: Settings,
  { quarantine = false, progress }: DeploymentsOptions = {},
): OpenedDeployments {
  const place = { gitDir: source.path, quarantine }
  const evaluator = new PuppetfileEvaluator(source)
  const fetcher = openModuleFetcher(settings, place)
  const deployments = new Deployments(
    {
      ...{ source, place, fetcher },
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
      await fetcher.close()
    },
  }
}
