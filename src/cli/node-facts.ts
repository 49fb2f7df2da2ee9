import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExactJson } from '../base/exact-json.ts'
import { defineIssues, diagnose, fail } from '../base/issue.ts'
import { parseJson } from '../base/json-text.ts'
import { record } from '../base/wire.ts'
import { collectFacts } from '../facts/collect.ts'
import type { FactValues } from '../facts/fact.ts'
import { fileName } from '../indirector/file-name.ts'
import { yamlToJson } from '../language/values/psych.ts'
import type { Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import type { Invocation, Io, Option } from './command.ts'

// Puppet: application/lookup.rb
export const factsIssues = defineIssues({
  FACTS_FORMAT: {
    text: (a: { file: string }) =>
      `Incorrectly formatted data in ${a.file} given via the --facts flag (only accepts yaml and json files)`,
  },
  FACTS_FILE: { text: (a: { file: string; reason: string }) => `Could not read ${a.file}: ${a.reason}` },
  NO_FACTS: {
    text: (a: { node: string }) => `No facts available for target node: ${a.node}`,
    hint: () => 'Give them by --facts FILE, as JSON or YAML.',
  },
})

/** For commands that compile for a node. */
export const factsOption: Option = {
  flags: '--facts <file>',
  doc: 'Facts that win over those that the server keeps of the node, as JSON or YAML.',
}

/** Whose facts are asked for. */
export interface FactsAsked {
  /** Without one, this machine. */
  readonly node: string | undefined
  /** A file whose facts win. */
  readonly file: string | undefined
}

/** The facts that the server keeps of a node, or this machine's, with a file's over them; none where there are none. */
export async function nodeFacts({ node, file }: FactsAsked, settings: Settings, io: Io): Promise<FactValues> {
  const given = file === undefined ? {} : readFacts(file)
  return { ...(node === undefined ? await ownFacts(settings, io) : keptFacts(node, settings)), ...given }
}

/** The facts for which a catalog is compiled; a node without any is warned of. */
export async function factsToCompile({ options, io }: Pick<Invocation, 'options' | 'io'>, settings: Settings) {
  const node = typeof options.node === 'string' ? options.node : undefined
  const file = typeof options.facts === 'string' ? options.facts : undefined
  const facts = await nodeFacts({ node, file }, settings, io)
  if (Object.keys(facts).length === 0) {
    const { message, hint } = diagnose(factsIssues.NO_FACTS, { node: node ?? settings.certname })
    io.err(`Warning: ${message}\n  ${hint}\n`)
  }
  return facts
}

/** Facts of a file, JSON or YAML: an object of values, or facts as an agent keeps them. Throws FACTS_…. */
export function readFacts(file: string): FactValues {
  const text = textOf(file) ?? fail(factsIssues.FACTS_FILE, { file, reason: 'ENOENT' })
  try {
    return factsIn(text, file)
  } catch {
    return fail(factsIssues.FACTS_FORMAT, { file })
  }
}

/** Facts as the server keeps them (facts_terminus = json); none of a node that it does not know. Throws FACTS_FILE. */
export function keptFacts(node: string, { server_datadir }: Settings): FactValues {
  const file = join(server_datadir, 'facts', `${fileName('facts', node)}.json`)
  const text = textOf(file)
  try {
    return text === undefined ? {} : factsIn(text, file)
  } catch (error) {
    return fail(factsIssues.FACTS_FILE, { file, reason: (error as Error).message })
  }
}

function factsIn(text: string, file: string): FactValues {
  const facts = record(parsed(text), file)
  return ('values' in facts && 'name' in facts ? record(facts.values, file) : facts) as FactValues
}

/** JSON is YAML, and much quicker to read as JSON. */
function parsed(text: string): ExactJson {
  try {
    return parseJson(text)
  } catch {
    return yamlToJson(text)
  }
}

async function ownFacts(settings: Settings, io: Io): Promise<FactValues> {
  return collectFacts(localSystem, {
    factDirectories: [settings.pluginfactdest],
    legacy: settings.include_legacy_facts,
    warn: (message) => io.err(`Warning: ${message}\n`),
  })
}

/** `undefined` of a file that is not there. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? undefined : fail(factsIssues.FACTS_FILE, { file, reason: code ?? String(error) })
  }
}
