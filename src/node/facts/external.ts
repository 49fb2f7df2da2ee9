import { extname, join } from 'node:path'
import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { requireUtf8 } from '../../language/ruby-semantics/argument-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { formatIsoDate, formatIsoTime } from '../../language/ruby-semantics/time/iso.ts'
import type { PermittedClasses } from '../../language/ruby-semantics/yaml/permitted-classes.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import type { System } from '../../machine/system/system.ts'
import { isWindows, toSlashes } from '../../machine/windows/machine-path.ts'
import type { FactCache } from './fact-cache.ts'
import { findFactProgram, runFactProgram } from './fact-program.ts'
import type { FactLog } from './log.ts'

/** A fact from a file. */
export interface ExternalFact {
  readonly name: string
  readonly value: ExactJson
  /** The file name without folders, used for blocking and caching. */
  readonly file: string
}

/** Options for reading external facts. */
export interface ExternalOptions {
  /** Folders to read. If several folders contain a fact, the value in the first folder is used. */
  readonly directories: readonly string[]
  /** Names of files to skip. */
  readonly blocked: readonly string[]
  readonly cache?: FactCache
  readonly log: FactLog
  /** Called with the time in seconds that each file took. */
  readonly timing?: (name: string, seconds: number) => void
  /** True for the programs of Windows. Default: true on Windows. */
  readonly onWindows?: boolean
}

/**
 * Reads facts from files in folders named facts.d: text (`name=value` lines), YAML, JSON, and
 * programs that print one of these formats. An unreadable file is logged as an error and skipped.
 * If two files of a folder contain the same fact, the value in the last file in alphabetical order
 * is used. Facter: util/directory_loader.rb
 */
export async function readExternalFacts(system: System, options: ExternalOptions): Promise<readonly ExternalFact[]> {
  const { directories, blocked, cache, log, timing, onWindows = isWindows } = options
  const found: ExternalFact[] = []
  for (const directory of directories)
    for (const file of [...((await system.files.list(directory)) ?? [])].reverse()) {
      if (file.startsWith('.')) continue
      if (blocked.includes(file)) {
        log('debug', `External fact file ${file} blocked.`)
        continue
      }
      const started = performance.now()
      const path = onWindows ? toSlashes(join(directory, file)) : join(directory, file)
      const facts = (await cache?.read(file)) ?? (await readFactFile(system, path, log, onWindows))
      if (facts === undefined) continue
      timing?.(file, (performance.now() - started) / 1000)
      if (Object.keys(facts).length === 0)
        log('debug', `Fact file ${path} was parsed but no key=>value data was returned`)
      for (const [name, value] of Object.entries(facts)) found.push({ name: name.toLowerCase(), value, file })
    }
  return found
}

type Facts = Readonly<Record<string, ExactJson>>

/**
 * Permitted YAML types in fact files. Times remain text, because Facter quotes timestamps before it
 * parses a file.
 */
const inFiles: PermittedClasses = { Date: formatIsoDate, Time: (text) => text }
/** Permitted YAML types in the output of executable facts. */
const inOutput: PermittedClasses = { Symbol: (name) => name, Time: formatIsoTime, aliases: false }

/** Name of Facter's parser, by file extension. */
const readers: Readonly<Record<string, string>> = { '.yaml': 'Yaml', '.txt': 'Text', '.json': 'Json' }

/** The facts in a file; undefined if the file contains none. */
async function readFactFile(
  system: System,
  path: string,
  log: FactLog,
  onWindows: boolean,
): Promise<Facts | undefined> {
  const extension = extname(path).toLowerCase()
  const reader = readers[extension]
  try {
    if (reader === undefined) {
      const program = await findFactProgram(system, path, onWindows)
      return program && parseFactOutput(checkUtf8(await runFactProgram(system, path, program, log)).trim())
    }
    const text = checkUtf8(decodeLosslessUtf8((await system.files.read(path)) ?? new Uint8Array()))
    if (extension === '.txt') return parseTextFacts(text)
    return toFactRecord(extension === '.yaml' ? convertYamlToJson(text, inFiles) : parseJson(text), path, log)
  } catch (error) {
    const kind = reader ?? (onWindows && extension === '.ps1' ? 'Powershell' : 'Script')
    log('error', `Failed to handle ${path} as LegacyFacter::Util::Parser::${kind}Parser facts: ${formatError(error)}`)
    return undefined
  }
}

/** Returns the text. Throws Ruby's error if it is not UTF-8: a fact cannot contain other bytes. */
function checkUtf8(text: string): string {
  requireUtf8(text)
  return text
}

/** Parses a YAML or JSON hash; other text is parsed as `name=value` lines. */
function parseFactOutput(output: string): Facts {
  try {
    const parsed = convertYamlToJson(output, inOutput)
    if (isExactObject(parsed)) return toFactObject(parsed)
  } catch {
    return parseTextFacts(output)
  }
  return parseTextFacts(output)
}

/** Parses lines with text before and after the first `=`; spaces are kept. */
function parseTextFacts(text: string): Facts {
  const entries = text.split('\n').flatMap((row) => {
    const line = row.replace(/\r$/, '')
    const equals = line.indexOf('=', 1)
    return equals === -1 || equals === line.length - 1 ? [] : [[line.slice(0, equals), line.slice(equals + 1)] as const]
  })
  return Object.fromEntries(entries)
}

function toFactRecord(parsed: ExactJson, path: string, log: FactLog): Facts | undefined {
  if (isExactObject(parsed)) return toFactObject(parsed)
  if (parsed === null) return {}
  if (parsed === false) log('warn', `Could not interpret fact file ${path}`, 'LegacyFacter::Util::DirectoryLoader')
  else throw new Error('Structured data fact file must be a hash')
  return undefined
}

const toFactObject = (parsed: Parameters<typeof getEntries>[0]): Facts =>
  Object.fromEntries(Array.from(getEntries(parsed), ([name, value]) => [name, value ?? null]))
