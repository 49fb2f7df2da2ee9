import { symbolsAsNames } from '../../../language/ruby-semantics/yaml/permitted-classes.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { Hash } from '../../../language/values/hash.ts'
import { parseYaml } from '../../../language/values/yaml.ts'

/** The values of a file of Hiera data, or the error of its syntax. `data` is undefined if the file contains no hash. */
export type DataFile = { readonly data: Hash | undefined } | { readonly error: YamlError }

let last: { readonly text: string; readonly file: DataFile } | undefined

/** Parses a file of Hiera data. The last result is kept, since several checks read the same file. */
export function parseDataFile(text: string): DataFile {
  if (last?.text !== text) last = { text, file: parse(text) }
  return last.file
}

function parse(text: string): DataFile {
  try {
    const data = parseYaml(text, symbolsAsNames)
    return { data: data instanceof Hash ? data : undefined }
  } catch (error) {
    if (error instanceof YamlError) return { error }
    throw error
  }
}
