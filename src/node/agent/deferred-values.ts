import { existsSync, readFileSync } from 'node:fs'
import { defineIssues, formatDiagnosticLine, throwIssue } from '../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import { resolveDeferred } from '../../language/functions/deferred.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import type { EvaluationHost } from '../../language/host.ts'
import { moduleFunctions } from '../../language/module-functions/table.ts'
import { hasDeferred } from '../../language/values/deferred.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import { resetByteCount } from '../../language/values/value-size-limits.ts'
import type { FactValues } from '../facts/fact.ts'
import type { Deferrals } from '../resources/deferred-resolution.ts'
import type { Log } from './log.ts'

const issues = defineIssues({
  NO_DATA_HERE: { text: (a: { key: string }) => `Function lookup() did not find a value for the name '${a.key}'` },
})

/**
 * Resolvers for Deferred values, called on this node. Each value is resolved when its resource is
 * evaluated, so that its function can read the results of earlier resources; with `early`, all are
 * resolved before the first resource.
 */
export function createDeferrals(facts: FactValues, environment: string, early: boolean, log: Log): Deferrals {
  resetByteCount()
  const scope = new Scope(undefined)
  for (const [name, value] of Object.entries(facts)) scope.set(name, convertJsonToValue(value))
  scope.set('facts', convertJsonToValue(facts))
  scope.set('environment', environment)
  const context = { host: createNodeHost(log), scope, span: undefined }
  return {
    waits: (value) => !early && hasDeferred(value),
    resolve: (value) => (hasDeferred(value) ? resolveDeferred(value, context) : value),
  }
}

/** The function host on a node, without Hiera data, modules or a catalog to extend. */
function createNodeHost(log: Log): EvaluationHost {
  return {
    strict: 'error',
    strictVariables: true,
    findFunction: (name) => builtinFunctions.get(name) ?? moduleFunctions.get(name),
    findType: () => undefined,
    functionNames: () => builtinFunctions.keys(),
    log: (level, message) => log[level](message),
    warn: (diagnostic) => log.warning(formatDiagnosticLine(diagnostic)),
    lookup: ({ key }) => throwIssue(issues.NO_DATA_HERE, { key }),
    setting: () => undefined,
    files: {
      findInModule: () => undefined,
      readText(path) {
        const bytes = readExistingFile(path)
        return bytes && decodeLosslessUtf8(bytes)
      },
      readBytes: readExistingFile,
      exists: existsSync,
      contentId: () => undefined,
      moduleDirectory: () => undefined,
    },
    catalog: undefined,
  }
}

function readExistingFile(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}
