import { basename, extname, join } from 'node:path'
import { parse } from 'yaml'
import type { Json } from '../base/wire.ts'
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
  const found: Record<string, Json> = {}
  for (const directory of directories) {
    for (const name of (await system.files.list(directory)) ?? []) {
      if (name.startsWith('.') || /\.(bak|orig)$/.test(name)) continue
      const path = join(directory, name)
      try {
        Object.assign(found, await factsOfFile(system, path))
      } catch (error) {
        warn(`Could not process fact file ${path}: ${(error as Error).message}`)
      }
    }
  }
  return found
}

async function factsOfFile(system: System, path: string): Promise<FactValues> {
  const stat = await system.files.stat(path)
  if (stat?.kind === 'directory') return {}
  const extension = extname(path)
  const text = async () => (await system.files.readText(path)) ?? ''
  if (extension === '.txt') return textFacts(await text())
  if (extension === '.yaml' || extension === '.yml') return recordOf(parse(await text()))
  if (extension === '.json') return recordOf(JSON.parse(await text()))
  if (stat === undefined || (stat.mode & 0o111) === 0) return {}
  const { status, stdout, stderr } = await system.commands.run([path], { timeout: 60 })
  if (status !== 0) throw new Error(`Command ${basename(path)} failed with status ${status}: ${stderr.trim()}`)
  return factsOfOutput(stdout)
}

/** YAML (and so JSON) that is a hash, otherwise lines of text. */
function factsOfOutput(output: string): FactValues {
  try {
    const parsed: unknown = parse(output)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as FactValues
  } catch {
    return textFacts(output)
  }
  return textFacts(output)
}

function textFacts(text: string): FactValues {
  const entries = text
    .split('\n')
    .map((row) => /^\s*([^=\s][^=]*?)\s*=(.*)$/.exec(row))
    .filter((match) => match !== null)
  return Object.fromEntries(entries.map(([, name, value]) => [name!.toLowerCase(), value!.trim()]))
}

function recordOf(parsed: unknown): FactValues {
  if (parsed === null || parsed === undefined) return {}
  if (typeof parsed !== 'object' || Array.isArray(parsed)) throw new Error('Structured data fact file must be a hash')
  return parsed as FactValues
}
