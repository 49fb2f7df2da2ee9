import type { Diagnostic } from '../../src/base/issue.ts'
import { evaluateNode } from '../../src/language/evaluator/evaluation.ts'
import { Scope } from '../../src/language/evaluator/scope.ts'
import { builtinFunctions } from '../../src/language/functions/table.ts'
import type { CatalogBuilder, EvaluationHost, LogLevel } from '../../src/language/host.ts'
import { parseManifest } from '../../src/language/syntax/parser/parser.ts'
import { Hash } from '../../src/language/values/hash.ts'
import type { Value } from '../../src/language/values/value.ts'

/** What a host made of maps knows. */
export interface Known {
  readonly variables?: Readonly<Record<string, Value>>
  readonly data?: Readonly<Record<string, Value>>
  readonly settings?: Readonly<Record<string, Value>>
  /** Text by path: `/modules/ntp/files/a`. */
  readonly files?: Readonly<Record<string, string>>
  readonly catalog?: CatalogBuilder
  readonly generate?: (command: readonly string[]) => string
}

/** A host of maps, with all that was logged and warned of. */
export interface TestHost extends EvaluationHost {
  readonly scope: Scope
  readonly logs: (readonly [LogLevel, string])[]
  readonly warnings: Diagnostic[]
}

/** A host that knows what the maps say, and nothing else. */
export function hostOf(known: Known = {}): TestHost {
  const { data = {}, settings = {}, files = {}, variables = {} } = known
  const scope = new Scope(undefined)
  for (const [name, value] of Object.entries({ facts: Hash.empty, ...variables })) scope.set(name, value)
  const logs: (readonly [LogLevel, string])[] = []
  const warnings: Diagnostic[] = []
  return {
    scope,
    logs,
    warnings,
    strict: 'error',
    strictVariables: true,
    findFunction: (name) => builtinFunctions.get(name),
    findType: () => undefined,
    functionNames: () => builtinFunctions.keys(),
    log: (level, message) => void logs.push([level, message]),
    warn: (diagnostic) => void warnings.push(diagnostic),
    lookup: ({ key }) => (key in data ? { found: true, value: data[key] } : { found: false }),
    setting: (name) => settings[name],
    files: {
      findInModule: (kind, name) => {
        const [module, ...rest] = name.split('/')
        const path = `/modules/${module}/${kind}/${rest.join('/')}`
        return path in files ? path : undefined
      },
      readText: (path) => files[path],
      readBytes: (path) => (path in files ? Buffer.from(files[path]!) : undefined),
      exists: (path) => path in files,
      contentId: (path) => (path in files ? path : undefined),
      moduleDirectory: (name) =>
        Object.keys(files).some((path) => path.startsWith(`/modules/${name}/`)) ? `/modules/${name}` : undefined,
    },
    catalog: known.catalog,
    ...(known.generate && { generate: known.generate }),
  }
}

/** The value of code, as the body of a lambda on its second line, so that places are those of the case files. */
export function worthOf(code: string, host: TestHost = hostOf()): Value {
  const program = parseManifest({ file: undefined, text: `with() || {\n${code}\n}` })
  return evaluateNode(program, host, host.scope)
}
