import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { defineIssues, fail } from '../base/issue.ts'
import type { Json } from '../base/wire.ts'
import { collectFacts } from '../facts/collect.ts'
import { fileName } from '../indirector/file-name.ts'
import type { Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import type { Io } from './command.ts'

// Puppet: application/lookup.rb
const issues = defineIssues({
  LOOKUP_FACTS_FORMAT: {
    text: (a: { file: string }) =>
      `Incorrectly formatted data in ${a.file} given via the --facts flag (only accepts yaml and json files)`,
  },
  LOOKUP_FACTS_TRUSTED: {
    text: (a: { file: string }) =>
      `When overriding any of the ${provingFacts.join(',')} facts with ${a.file} given via the --facts flag, they must all be overridden.`,
  },
  LOOKUP_FACTS_FILE: { text: (a: { file: string; reason: string }) => `Could not read ${a.file}: ${a.reason}` },
  LOOKUP_NO_FACTS: {
    text: (a: { node: string }) => `No facts available for target node: ${a.node}`,
    hint: () => 'Give them by --facts FILE, as JSON or YAML.',
  },
})

type FactValues = Readonly<Record<string, Json>>

/** Facts that tell who a node is: part of them would make a node that there is not. */
const provingFacts = ['hostname', 'domain', 'fqdn', 'clientcert']

/** The facts of a lookup: those that the server keeps of the node, or this machine's, with a file's over them. */
export async function lookupFacts(
  { node, file }: { readonly node: string | undefined; readonly file: string | undefined },
  settings: Settings,
  io: Io,
): Promise<FactValues> {
  const given = file === undefined ? {} : givenFacts(file)
  const known = node === undefined ? await ownFacts(settings, io) : keptFacts(node, settings)
  const facts = { ...known, ...given }
  if (Object.keys(facts).length === 0) fail(issues.LOOKUP_NO_FACTS, { node: node ?? settings.certname })
  return facts
}

function givenFacts(file: string): FactValues {
  const facts = parsed(file)
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) fail(issues.LOOKUP_FACTS_FORMAT, { file })
  const given = provingFacts.filter((name) => Object.hasOwn(facts as object, name))
  if (given.length > 0 && given.length < provingFacts.length) fail(issues.LOOKUP_FACTS_TRUSTED, { file })
  return facts as FactValues
}

function parsed(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return fail(issues.LOOKUP_FACTS_FILE, { file, reason: (error as NodeJS.ErrnoException).code ?? String(error) })
  }
  try {
    return file.endsWith('.json') ? JSON.parse(text) : parseYaml(text)
  } catch {
    return fail(issues.LOOKUP_FACTS_FORMAT, { file })
  }
}

async function ownFacts(settings: Settings, io: Io): Promise<FactValues> {
  const values = await collectFacts(localSystem, {
    factDirectories: [settings.pluginfactdest],
    legacy: settings.include_legacy_facts,
    warn: (message) => io.err(`Warning: ${message}\n`),
  })
  return values as FactValues
}

/** As the server keeps them (facts_terminus = json). */
function keptFacts(node: string, { server_datadir }: Settings): FactValues {
  const file = join(server_datadir, 'facts', `${fileName('facts', node)}.json`)
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly values?: FactValues }
    return kept.values ?? {}
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    return fail(issues.LOOKUP_FACTS_FILE, { file, reason: (error as Error).message })
  }
}
