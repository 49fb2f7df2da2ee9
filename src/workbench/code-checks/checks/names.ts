import { findNearestName } from '../../../base/text/name-suggestions.ts'
import { nativeTypes } from '../../../compiler/code/native-types.ts'
import { builtinFunctions } from '../../../language/functions/table.ts'
import { findBuiltinType } from '../../../language/types/builtin-types.ts'
import type { NameKind } from '../../code-index/occurrence.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import type { CodeCheck, ReportProblem } from '../code-check.ts'

/** Names of classes in `include`, `inherits`, `class { … }` and `Class[…]`. */
export const unknownClass: CodeCheck = {
  name: 'unknown_class',
  check(file, code, report) {
    reportNames(file, code, report, ['class'], 'class', (name) => {
      if (name === '' || name.startsWith('settings') || !/^[a-z]\w*(?:::\w+)*$/.test(name)) return true
      return code.definitions.findClass(name, file.file) !== undefined || !code.workspace.modules.has(getModule(name))
    })
  },
}

/** Resource types, defined types and data types. */
export const unknownType: CodeCheck = {
  name: 'unknown_type',
  check(file, code, report) {
    if (file.file.isPlan) return
    const { definitions } = code
    const isKnown = (name: string) =>
      findBuiltinType(name) !== undefined ||
      metaTypes.has(name) ||
      definitions.isTypeKnown(name, file.file) ||
      !definitions.canJudge(name, file.file.path)
    reportNames(file, code, report, ['data type'], 'type', isKnown)
    // Modules use types of other operating systems without a dependency on their modules, so only a misspelling counts.
    const isAnywhere = (name: string) => !name.includes('::') && !code.workspace.modules.has(name)
    reportNames(file, code, report, ['resource type'], 'type', (name) => {
      return isKnown(name) || (isAnywhere(name) && findNearestName(name, nativeTypes.keys()) === undefined)
    })
  },
}

/** Functions, by name or after a period. */
export const unknownFunction: CodeCheck = {
  name: 'unknown_function',
  check(file, code, report) {
    if (file.file.isPlan) return
    reportNames(file, code, report, ['function'], 'function', (name) => {
      const { definitions } = code
      return definitions.findFunction(name, file.file) !== undefined || !definitions.canJudge(name, file.file.path)
    })
  },
}

/** Names in the place of a type that are no data types. */
const metaTypes: ReadonlySet<string> = new Set(['class', 'resource', 'main', 'plan'])

function reportNames(
  checked: CheckedFile,
  code: CheckedCode,
  report: ReportProblem,
  kinds: readonly NameKind[],
  label: string,
  isKnown: (name: string) => boolean,
): void {
  for (const { kind, name, span, isDefinition } of checked.file.occurrences) {
    if (isDefinition || !kinds.includes(kind) || isKnown(name)) continue
    const suggestion = checked.suggest(name, () => listSimilarNames(kind, name, code))
    report(`unknown ${label} '${name}'${suggestion}`, span)
  }
}

function listSimilarNames(kind: NameKind, name: string, code: CheckedCode): readonly string[] {
  const folder = kind === 'function' ? 'functions' : kind === 'data type' ? 'types' : 'manifests'
  const near = code.workspace.autoloadNames.filter(
    (each) => each.folder === folder && getModule(each.name) === getModule(name),
  )
  const builtIn = kind === 'function' ? builtinFunctions.keys() : kind === 'resource type' ? nativeTypes.keys() : []
  return [...near.map((each) => each.name), ...builtIn]
}

function getModule(name: string): string {
  return name.split('::', 1)[0]!
}
