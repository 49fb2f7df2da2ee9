import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { keyLines } from '../code/key-lines.ts'
import { treesOf } from '../reads/reads.ts'

/** Returns the line of a key in a data file; `undefined` if the file or the key is not found. */
export function lineOfKey(environment: CompileEnvironment, file: string, key: string): number | undefined {
  const tree = treesOf(environment).find(({ root }) => file.startsWith(`${root}/`))
  const text = tree?.readText(file.slice(tree.root.length + 1))
  return text === undefined ? undefined : keyLines(file, text).get(key)
}
