import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import { formatPublicSettings } from '../../machine/settings/public-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { buildTrustedFacts, type TrustedFacts } from '../../node/facts/trusted.ts'
import type { Classification } from './node-classification.ts'
import { createLiveQueries } from './query-answers.ts'

/** The target of a compilation, from the command line. */
export interface CompileTarget {
  readonly node: string
  readonly facts: FactValues | undefined
  readonly classified: Classification
  /** Trusted facts; by default the trusted facts of the user on this machine. */
  readonly trusted?: TrustedFacts | undefined
}

/** The classification of a node without a classifier. */
export const emptyClassification: Classification = { classes: [], parameters: {} }

/** Builds the compile request of a node from the settings. */
export function buildCompileRequest(
  target: CompileTarget,
  environment: CompileEnvironment,
  settings: Settings,
): CompileRequest {
  const { node, classified } = target
  const { classes, parameters } = classified
  return {
    node: { name: node, environment: environment.name, parameters, classes },
    facts: target.facts ?? {},
    trusted: target.trusted ?? buildTrustedFacts({ authenticated: 'local', certname: node }),
    serverFacts: { environment: environment.name },
    environment,
    staticChecksum: environment.tree.codeId === undefined ? undefined : 'sha256',
    keyFolders: settings.eyaml_keydirs,
    generators: settings.generators,
    externalFolders: settings.external_folders,
    rubyTimeout: settings.ruby_timeout,
    ...createLiveQueries(settings),
    settings: { ...formatPublicSettings(settings), environment: environment.name },
    debug: settings.log_level === 'debug',
    strict: settings.strict,
    strictVariables: settings.strict_variables,
  }
}
