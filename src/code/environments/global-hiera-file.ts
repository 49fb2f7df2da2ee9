import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { parseYaml } from '../../language/values/yaml.ts'

/**
 * Lists the folders of the data of a global hiera.yaml, apart from its own folder. A `datadir` with variables counts up
 * to the first variable, and `/` is no folder of data. A missing or invalid file has no folders; the first lookup
 * reports its error.
 */
export function listGlobalDataFolders(file: string): readonly string[] {
  const directory = dirname(resolve(file))
  const folders = listDatadirs(readConfig(file)).map((datadir) => {
    const [literal = '', ...variable] = datadir.split('%{')
    return resolve(directory, variable.length > 0 ? literal.slice(0, literal.lastIndexOf('/') + 1) : literal)
  })
  return [...new Set(folders)].filter((folder) => folder !== '/' && folder !== directory)
}

/** The datadir of each level, in versions 4 and 5 of the file. */
function listDatadirs(config: Value): readonly string[] {
  if (!(config instanceof Hash)) return []
  const defaults = config.get('defaults')
  const standard = [defaults instanceof Hash ? defaults.get('datadir') : undefined, config.get('datadir'), 'data']
  const levels = config.get('hierarchy') ?? [Hash.empty]
  const own = Array.isArray(levels) ? levels.map((level) => (level instanceof Hash ? level.get('datadir') : 0)) : []
  return own.map((datadir) => [datadir, ...standard].find((each) => each !== undefined)).filter(isText)
}

const isText = (value: Value): value is string => typeof value === 'string'

function readConfig(file: string): Value {
  try {
    return parseYaml(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof YamlError || getSystemErrorCode(error) !== undefined) return undefined
    throw error
  }
}
