import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import { treesOf } from '../reads/reads.ts'

/** Larger files of data are not looked into for a line: characters. */
const maxDataText = 1024 * 1024

/** The line of a key in a file of data; `undefined` where it cannot be told. */
export function lineOfKey(environment: CompileEnvironment, file: string, key: string): number | undefined {
  if (!/\.(?:ya?ml|json)$/.test(file)) return undefined
  const tree = treesOf(environment).find(({ root }) => file.startsWith(`${root}/`))
  const text = tree?.readText(file.slice(tree.root.length + 1))
  if (text === undefined || text.length > maxDataText) return undefined
  const lines = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  if (!isMap(contents)) return undefined
  const found = contents.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
  return isScalar(found?.key) && found.key.range ? lines.linePos(found.key.range[0]).line : undefined
}
