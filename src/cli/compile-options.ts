import { readFileSync } from 'node:fs'
import type { ExactJson } from '../base/exact-json.ts'
import { defineIssues, fail } from '../base/issue.ts'
import { parseJson } from '../base/json-text.ts'
import { record } from '../base/wire.ts'
import type { CompileRequest } from '../compiler/compile-request.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import { trustedFacts } from '../facts/trusted.ts'
import { yamlToJson } from '../language/values/psych.ts'
import { publicSettings } from '../settings/public-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { Classification } from './classify.ts'

const issues = defineIssues({
  UNREADABLE_FACTS: {
    text: (a: { path: string; detail: string }) => `Could not read facts from ${a.path}: ${a.detail}`,
  },
})

/** What a catalog is compiled for, on the command line. */
export interface CompileTarget {
  readonly node: string
  /** JSON or YAML: an object of fact values, or facts as an agent keeps them. */
  readonly facts: string | undefined
  readonly classified: Classification
}

/** Of a node that nobody classifies. */
export const unclassified: Classification = { classes: [], parameters: {} }

/** A request to compile code for a node by the settings at hand. */
export function requestFor(target: CompileTarget, environment: CompileEnvironment, settings: Settings): CompileRequest {
  const { node, classified } = target
  const { classes, parameters } = classified
  return {
    node: { name: node, environment: environment.name, parameters, classes },
    facts: target.facts === undefined ? {} : readFacts(target.facts),
    trusted: trustedFacts({ authenticated: 'local', certname: node }),
    serverFacts: { environment: environment.name },
    environment,
    staticChecksum: environment.tree.codeId === undefined ? undefined : 'sha256',
    keyFolders: settings.eyaml_keydirs,
    generators: settings.generators,
    rubyTimeout: settings.ruby_timeout,
    settings: { ...publicSettings(settings), environment: environment.name },
    debug: settings.log_level === 'debug',
    strict: settings.strict,
    strictVariables: settings.strict_variables,
  }
}

function readFacts(path: string): Readonly<Record<string, ExactJson>> {
  try {
    const facts = record(parsed(readFileSync(path, 'utf8')), path)
    return ('values' in facts && 'name' in facts ? record(facts.values, path) : facts) as Record<string, ExactJson>
  } catch (error) {
    return fail(issues.UNREADABLE_FACTS, { path, detail: (error as Error).message })
  }
}

/** JSON is YAML, and much quicker to read as JSON. */
function parsed(text: string): ExactJson {
  try {
    return parseJson(text)
  } catch {
    return yamlToJson(text)
  }
}
