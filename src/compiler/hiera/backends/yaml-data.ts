import { diagnose } from '../../../base/issue.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { Hash } from '../../../language/values/hash.ts'
import { failVerbatim } from '../../../language/values/verbatim-error.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** Backend `data_hash: yaml_data`. */
export const yamlData: Backend = {
  name: 'yaml_data',
  doc: 'Reads a hash of data from a YAML file.',
  read(text, path, warn) {
    const value = parsed(text, path)
    if (value instanceof Hash) return value
    if (value !== undefined) failVerbatim(hieraIssues.LOOKUP_NO_HASH, { path })
    warn(diagnose(hieraIssues.LOOKUP_NO_HASH, { path }, undefined, 'warning'))
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
