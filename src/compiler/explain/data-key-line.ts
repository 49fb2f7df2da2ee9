import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { readDataKeyLines } from '../code/data-key-lines.ts'
import { listEnvironmentTrees } from '../reads/compilation-reads.ts'

/** Returns the line of a key in a data file; `undefined` if the file or the key is not found. */
export function findKeyLine(environment: CompileEnvironment, file: string, key: string): number | undefined {
  const tree = listEnvironmentTrees(environment).find(({ root }) => file.startsWith(`${root}/`))
  const text = tree?.readText(file.slice(tree.root.length + 1))
  return text === undefined ? undefined : readDataKeyLines(file, text).get(key)
}
