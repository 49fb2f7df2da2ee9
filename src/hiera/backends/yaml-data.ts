import { failVerbatim } from '../../language/evaluator/evaluation-error.ts'
import { Hash } from '../../language/values/hash.ts'
import { parseYaml, YamlError } from '../../language/values/psych.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** `data_hash: yaml_data` */
export const yamlData: Backend = {
  name: 'yaml_data',
  doc: 'Reads a hash of data from a YAML file.',
  read(text, path, warn) {
    const value = parsed(text, path)
    if (value instanceof Hash) return value
    if (value !== undefined) failVerbatim(hieraIssues.LOOKUP_NO_HASH, { path })
    warn(hieraIssues.LOOKUP_NO_HASH.text({ path }))
    return Hash.empty
  },
}

function parsed(text: string, path: string) {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return failVerbatim(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
  }
}
