import { getStartLine } from '../../base/source.ts'
import type { CatalogBuilder, EvaluationHost } from '../../language/host.ts'
import { Hash } from '../../language/values/hash.ts'
import { Timestamp } from '../../language/values/time.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { createCodeFiles } from '../code/code-files.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import type { CompileLog } from '../request/compile-request.ts'
import { createGeneratorCache } from '../request/generator-cache.ts'
import { createBoundedLogger } from '../request/log-limits.ts'
import { toCompileLog } from '../request/log-line.ts'
import { createExternalQueries } from './external-queries.ts'
import { formatUnknownVariableHint } from './unknown-variable.ts'

/** Cached output of `generate()`, for a thread that has no cache shared with other threads. */
const ownTexts = createGeneratorCache()

/** Name of a whole lookup in a profile; its own time is spent between the levels. */
const allLevels = 'all levels'

/** Creates the host that the language uses during a compilation. `catalog` is undefined if no catalog is compiled. */
export function createCompilerHost(
  compilation: Compilation,
  files: ModuleFiles,
  logs: CompileLog[],
  catalog: CatalogBuilder | undefined,
): EvaluationHost {
  const { request, environment } = compilation
  const { settings } = request
  const say = createBoundedLogger(logs)
  const { readOutside, ...outside } = createExternalQueries(request, compilation.asked, {
    texts: request.generated ?? ownTexts,
    commit: request.environment.tree.codeId,
  })
  compilation.readOutside = readOutside
  return {
    strict: request.strict,
    strictVariables: request.strictVariables,
    findFunction: (name) => compilation.functions.find(name),
    findType: (name) => compilation.codeTypes.find(name),
    typeNames: (near) => compilation.types.typeNames(near),
    unknownVariableHint: formatUnknownVariableHint,
    functionNames: () => compilation.functions.names(),
    log(level, message, scope, span) {
      const line = span && getStartLine(span)
      say({ level, message, source: scope.toString(), file: span?.source.file, line, diagnostic: undefined })
    },
    warn(diagnostic) {
      const warning = toCompileLog(diagnostic)
      const isRepeatedWarning = ({ diagnostic: known, file, line }: CompileLog) =>
        known?.message === diagnostic.message &&
        (diagnostic.once === true || (file === warning.file && line === warning.line))
      if (!diagnostic.once || !logs.some(isRepeatedWarning)) say(warning)
    },
    lookup(query, scope) {
      compilation.lookups.add(query.key)
      const { provenance, hiera } = compilation
      const { profile } = request
      if (profile) return profile.measure('Hiera level', allLevels, () => hiera.lookup(query, scope))
      if (!provenance) return hiera.lookup(query, scope)
      return provenance.lookingUp(query, scope, (explainer) => hiera.lookup(query, scope, explainer))
    },
    lookupContext: (module, context) => compilation.hiera.contextFor(module, context),
    setting(name) {
      if (name === 'all_local') return Hash.from(settings)
      return Object.hasOwn(settings, name) ? (settings[name] as Value) : undefined
    },
    get time() {
      return new Timestamp(BigInt(Math.trunc(environment.tree.time)) * 1_000_000_000n)
    },
    ...outside,
    files: createCodeFiles(files),
    observer: compilation.provenance,
    profile: request.profile,
    catalog,
  }
}
