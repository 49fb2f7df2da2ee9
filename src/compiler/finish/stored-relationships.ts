import { throwIssue } from '../../base/issue.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { issues } from '../request/issues.ts'
import { listReferences } from './final-phase.ts'

const referencePattern = /^[A-Z][a-z0-9_]*(?:::[A-Z][a-z0-9_]*)*\[.*\]/s
const parameters = ['before', 'require', 'notify', 'subscribe']

/**
 * With storeconfigs, checks that no relationship refers to a virtual resource, or to an exported resource that is not
 * collected. Throws INVALID_RELATIONSHIP. puppet-terminus-puppetdb: Catalog::Puppetdb#synthesize_edges.
 */
export function validateStoredRelationships({ table }: Compilation): void {
  for (const resource of table.resources) {
    if (resource.virtual) continue
    for (const parameter of parameters)
      for (const target of listReferences(resource.parameters.get(parameter)?.value)) {
        const about = { resource: resource.reference, parameter, target }
        if (!referencePattern.test(target))
          throwIssue(issues.INVALID_RELATIONSHIP, { ...about, why: formatInvalidReference(target) })
        const { virtual, exported } = table.findReference(target) ?? { virtual: true, exported: false }
        const why = exported ? 'is exported but not collected' : "doesn't seem to be in the catalog"
        if (virtual) throwIssue(issues.INVALID_RELATIONSHIP, { ...about, why: `${target} ${why}` })
      }
  }
}

function formatInvalidReference(target: string): string {
  const forms = "Classname['title'] or Modulename::Classname['title'] (take careful note of the capitalization)"
  return `${target} doesn't seem to be in the correct format. Resource references should be formatted as: ${forms}.`
}
