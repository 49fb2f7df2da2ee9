import type { Definition, Parameter } from '../../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../../code-index/code-file.ts'

const definitions = new WeakMap<CodeFile, ReadonlyMap<string, Definition>>()
const variables = new WeakMap<CodeFile, ReadonlySet<string>>()
const parameters = new WeakMap<readonly Parameter[], ReadonlyMap<string, Parameter>>()

/** The first definition of a kind in a file, by its name in lower case. */
export function findDefinitionIn<Kind extends Definition['kind']>(
  file: CodeFile,
  kind: Kind,
  name: string,
): Extract<Definition, { kind: Kind }> | undefined {
  const index = remember(definitions, file, () => {
    const named = (file.program?.definitions ?? []).filter((each) => 'name' in each)
    return new Map(named.toReversed().map((each) => [`${each.kind} ${each.name.toLowerCase()}`, each]))
  })
  return index.get(`${kind} ${name}`) as Extract<Definition, { kind: Kind }> | undefined
}

/** The full names of the variables that a file sets. */
export function listSetVariables(file: CodeFile): ReadonlySet<string> {
  return remember(variables, file, () => {
    const set = file.occurrences.filter(({ kind, isDefinition }) => kind === 'variable' && isDefinition)
    return new Set(set.map(({ name }) => name))
  })
}

/** Parameters by their names. */
export function indexParameters(list: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  return remember(parameters, list, () => new Map(list.map((each) => [each.name, each])))
}

function remember<Key extends object, Value>(memo: WeakMap<Key, Value>, key: Key, compute: () => Value): Value {
  const known = memo.get(key)
  if (known !== undefined) return known
  const value = compute()
  memo.set(key, value)
  return value
}
