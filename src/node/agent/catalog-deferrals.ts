import { defineIssues, throwIssue } from '../../base/issue.ts'
import { hasDeferred } from '../../language/values/deferred.ts'
import type { Catalog } from '../../model/catalog.ts'
import { vaultScript } from '../../network/client/vault-script.ts'
import type { NodeRuby } from '../../ruby/node/node-ruby.ts'
import { type Deferrals, noDeferrals } from '../resources/deferred-resolution.ts'
import type { ApplyOptions } from './catalog-application.ts'
import type { AgentRuby } from './ruby/ruby-run.ts'

const issues = defineIssues({
  NO_RUBY: { text: () => 'Functions of modules cannot be called here' },
})

/**
 * Creates the resolvers for the catalog's Deferred values. Loads the language's functions only if the catalog has such
 * values, and starts Ruby only if a value needs it and the catalog's types do not.
 */
export async function openCatalogDeferrals(
  catalog: Catalog,
  { facts, log, settings, ruby: options, rubyAhead, timeOver }: ApplyOptions,
  run: AgentRuby | undefined,
): Promise<Deferrals> {
  const values = catalog.resources.flatMap(({ parameters }) => [...parameters.values()])
  if (!values.some(hasDeferred)) return noDeferrals
  const { createDeferrals } = await import('./deferred-values.ts')
  const { loadPath = [], modulepath = [], settings: all = {} } = options ?? {}
  let own: NodeRuby | undefined
  const openRuby = async () => {
    if (run) return run.ruby
    if (!options) throwIssue(issues.NO_RUBY, {})
    const { createLineWriter } = await import('./ruby/ruby-run.ts')
    const { NodeRuby } = await import('../../ruby/node/node-ruby.ts')
    own ??= new NodeRuby(options, createLineWriter(log), undefined, timeOver, rubyAhead?.())
    return own
  }
  const scope = { facts, environment: catalog.environment, loadPath, modulepath, settings: all, vaultScript }
  const deferrals = createDeferrals({ scope, early: settings.preprocess_deferred, log, ruby: openRuby })
  return { ...deferrals, close: async () => own?.close() }
}
