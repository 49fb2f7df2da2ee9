import { existsSync, readFileSync } from 'node:fs'
import { defineIssues, fail, inOneLine } from '../base/issue.ts'
import type { FactValues } from '../facts/fact.ts'
import { Scope } from '../language/evaluator/scope.ts'
import { resolveDeferred } from '../language/functions/deferred.ts'
import { builtinFunctions } from '../language/functions/table.ts'
import type { Host } from '../language/host.ts'
import { startCounting } from '../language/values/bounded.ts'
import type { Value } from '../language/values/value.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import { moduleFunctions } from '../module-functions/table.ts'
import type { Log } from './log.ts'

const issues = defineIssues({
  NO_DATA_HERE: { text: (a: { key: string }) => `Function lookup() did not find a value for the name '${a.key}'` },
})

/**
 * Replaces the Deferred values of a catalog by what their functions give on this node. All of them before anything is
 * applied, as with `preprocess_deferred`: a catalog that cannot be resolved changes nothing.
 */
export function deferredResolver(facts: FactValues, environment: string, log: Log): (value: Value) => Value {
  startCounting()
  const scope = new Scope(undefined)
  for (const [name, value] of Object.entries(facts)) scope.set(name, valueFromJson(value))
  scope.set('facts', valueFromJson(facts))
  scope.set('environment', environment)
  const context = { host: nodeHost(log), scope, span: undefined }
  return (value) => resolveDeferred(value, context)
}

/** The host of functions on a node: no data, no modules, no catalog to add to. */
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
      readText: (path) => readFileSync(path, 'utf8'),
      readBytes: (path) => readFileSync(path),
      exists: existsSync,
      contentId: () => undefined,
      moduleDirectory: () => undefined,
    },
    catalog: undefined,
  }
}
