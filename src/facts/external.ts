import { basename, extname, join } from 'node:path'
import { type ExactJson, isExactObject } from '../base/exact-json.ts'
import { parseJson } from '../base/json-text.ts'
import { record } from '../base/wire.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import { isoDate, isoTime } from '../ruby-semantics/time/iso.ts'
import type { Permitted } from '../ruby-semantics/yaml/permitted.ts'
import { yamlToJson } from '../ruby-semantics/yaml/yaml-data.ts'
import type { System } from '../system/system.ts'
import type { FactValues } from './fact.ts'

/**
 * Facts from files of folders named facts.d: text (`name=value` lines), YAML, JSON, and programs that print any of
 * these. A file that cannot be read is passed over with a warning.
 */
export async function externalFacts(
  system: System,
  directories: readonly string[],
  warn: (message: string) => void,
): Promise<FactValues> {
  const found: Record<string, ExactJson> = {}
  for (const directory of directories) {
    for (const name of (await system.files.list(directory)) ?? []) {
      if (name.startsWith('.') || /\.(bak|orig)$/.test(name)) continue
      const path = join(directory, name)
      try {
        Object.assign(found, await factsOfFile(system, path))
      } catch (error) {
        warn(`Could not process fact file ${path}: ${errorText(error)}`)
      }
    }
  }
  return found
}

/** Facter quotes times in files before it reads them. */
const inFiles: Permitted = { Date: isoDate, Time: (text) => text }
/** The printed text of programs that give facts. */
const inOutput: Permitted = { Symbol: (name) => name, Time: isoTime, aliases: false }

async function factsOfFile(system: System, path: string): Promise<FactValues> {
  const stat = await system.files.stat(path)
  if (stat?.kind === 'directory') return {}
  const extension = extname(path)
  const text = async () => (await system.files.readText(path)) ?? ''
  if (extension === '.txt') return textFacts(await text())
  if (extension === '.yaml' || extension === '.yml') return recordOf(yamlToJson(await text(), inFiles))
  if (extension === '.json') return recordOf(parseJson(await text()))
  if (stat === undefined || (stat.mode & 0o111) === 0) return {}
  const { status, stdout, stderr } = await system.commands.run([path], { timeout: 60 })
  if (status !== 0) throw new Error(`Command ${basename(path)} failed with status ${status}: ${stderr.trim()}`)
  return factsOfOutput(stdout)
}

/** YAML (and so JSON) that is a hash, otherwise lines of text. */
function factsOfOutput(output: string): FactValues {
  try {
    const parsed = yamlToJson(output, inOutput)
    if (isExactObject(parsed)) return recordOf(parsed)
  } catch {
    return textFacts(output)
  }
  return textFacts(output)
}

function textFacts(text: string): FactValues {
  const entries = text.split('\n').flatMap((row) => {
    const equals = row.indexOf('=')
    const name = row.slice(0, Math.max(0, equals)).trim()
    return name === '' ? [] : [[name.toLowerCase(), row.slice(equals + 1).trim()]]
  })
  return Object.fromEntries(entries)
}

function recordOf(parsed: ExactJson): FactValues {
  if (parsed === null) return {}
  if (!isExactObject(parsed)) throw new Error('Structured data fact file must be a hash')
  const facts = Object.entries(record(parsed, 'facts') as FactValues)
  return Object.fromEntries(facts.map(([name, value]) => [name.toLowerCase(), value]))
}
