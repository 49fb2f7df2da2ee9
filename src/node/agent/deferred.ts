import { existsSync, readFileSync } from 'node:fs'
import { defineIssues, fail, inOneLine } from '../../base/issue.ts'
import { textFromBytes } from '../../base/text/byte-text.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import { resolveDeferred } from '../../language/functions/deferred.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import type { Host } from '../../language/host.ts'
import { moduleFunctions } from '../../language/module-functions/table.ts'
import { holdsDeferred } from '../../language/values/deferred.ts'
import { startCounting } from '../../language/values/value-bounds.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import type { FactValues } from '../facts/fact.ts'
import type { Deferrals } from '../resources/deferrals.ts'
import type { Log } from './log.ts'

const issues = defineIssues({
  NO_DATA_HERE: { text: (a: { key: string }) => `Function lookup() did not find a value for the name '${a.key}'` },
})

/**
 * Resolvers for Deferred values, called on this node. Each value is resolved when its resource is
 * evaluated, so that its function can read the results of earlier resources; with `early`, all are
 * resolved before the first resource.
 */
export function deferralsOf(facts: FactValues, environment: string, early: boolean, log: Log): Deferrals {
  startCounting()
  const scope = new Scope(undefined)
  for (const [name, value] of Object.entries(facts)) scope.set(name, valueFromJson(value))
  scope.set('facts', valueFromJson(facts))
  scope.set('environment', environment)
  const context = { host: nodeHost(log), scope, span: undefined }
  return {
    waits: (value) => !early && holdsDeferred(value),
    resolve: (value) => (holdsDeferred(value) ? resolveDeferred(value, context) : value),
  }
}

/** The function host on a node, without Hiera data, modules or a catalog to extend. */
function nodeHost(log: Log): Host {
  return {
    strict: 'error',
    strictVariables: true,
    findFunction: (name) => builtinFunctions.get(name) ?? moduleFunctions.get(name),
    findType: () => undefined,
    functionNames: () => builtinFunctions.keys(),
    log: (level, message) => log[level](message),
    warn: (diagnostic) => log.warning(inOneLine(diagnostic)),
    lookup: ({ key }) => fail(issues.NO_DATA_HERE, { key }),
    setting: () => undefined,
    files: {
      findInModule: () => undefined,
      readText(path) {
        const bytes = readIfThere(path)
        return bytes && textFromBytes(bytes)
      },
      readBytes: readIfThere,
      readRuby: readIfThere,
      exists: existsSync,
      contentId: () => undefined,
      moduleDirectory: () => undefined,
    },
    catalog: undefined,
  }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}
