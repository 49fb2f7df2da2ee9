import { createDiagnostic } from '../../../base/issue.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { Hash } from '../../../language/values/hash.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** Backend `data_hash: yaml_data`. */
export const yamlData: Backend = {
  name: 'yaml_data',
  doc: 'Reads a hash of data from a YAML file.',
  read(text, path, warn) {
    const value = parseDataYaml(text, path)
    if (value instanceof Hash) return value
    if (value !== undefined) failWithoutLocation(hieraIssues.LOOKUP_NO_HASH, { path })
    warn(createDiagnostic(hieraIssues.LOOKUP_NO_HASH, { path }, undefined, 'warning'))
    return Hash.empty
  },
}

function parseDataYaml(text: string, path: string) {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return failWithoutLocation(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
  }
}
