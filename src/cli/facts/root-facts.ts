import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Collection, CollectOptions } from '../../node/facts/collection.ts'
import { collectAllFacts, standardDirectories } from '../../node/facts/collection.ts'
import type { FactLog } from '../../node/facts/log.ts'
import { puppetFacts } from '../../node/facts/node-facts.ts'
import { createRootMachine } from '../../node/facts/root/root-machine.ts'
import { rootSources } from '../../node/facts/sources.ts'
import type { FactsOptions } from './facts-options.ts'

const issues = defineIssues({
  FACTS_ROOT_CONFLICT: {
    text: (a: { other: string }) => `--root and ${a.other} conflict: ${a.other} concerns only this machine`,
    hint: (a) => `Omit --root, or omit ${a.other}.`,
  },
})

/** Throws FACTS_ROOT_CONFLICT for an action or option that has no meaning for a root directory. */
export function requireRootUsage(action: string | undefined, options: FactsOptions): void {
  const given: readonly (readonly [unknown, string])[] = [
    [action === 'upload' || undefined, 'the action upload'],
    [options.customDir, '--custom-dir'],
    [options.config ?? options.configFile, '--config'],
    [options.listBlockGroups, '--list-block-groups'],
    [options.listCacheGroups, '--list-cache-groups'],
  ]
  const other = given.find(([value]) => value !== undefined)?.[1]
  if (other !== undefined) throwIssue(issues.FACTS_ROOT_CONFLICT, { other })
}

/**
 * The facts that a root directory determines, with its external facts in files. Neither programs
 * nor facter.conf nor the environment of this machine have an effect. Throws ROOT_….
 */
export async function collectRootFacts(
  root: string,
  names: readonly string[],
  options: FactsOptions,
  log: FactLog,
  timing?: CollectOptions['timing'],
): Promise<Collection> {
  return collectAllFacts(await createRootMachine(root, log), {
    factDirectories: [],
    externalDirectories: options.externalFacts ? (options.externalDir ?? standardDirectories) : [],
    legacy: options.showLegacy === true,
    log,
    queries: names,
    sources: rootSources,
    added: puppetFacts,
    ...(timing && { timing }),
  })
}
