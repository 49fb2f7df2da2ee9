import { devNull } from 'node:os'
import { type Diagnostic, PuppetError } from './base/issue.ts'
import type { ExactJson } from './base/json/exact-json.ts'
import { parseJson } from './base/json/json-text.ts'
import { getLineAndColumn } from './base/source.ts'
import { buildCompileRequest } from './cli/input/compile-options.ts'
import { type OpenDeployer, openCommit, openEnvironmentDirectory } from './code/environments/environment-opener.ts'
import { compile } from './compiler/compile.ts'
import { CatalogError } from './compiler/request/catalog-error.ts'
import type { CompileLog } from './compiler/request/compile-request.ts'
import { openDeployments } from './deploy/synthesis/open-deployments.ts'
import { loadSettings, type Settings } from './machine/settings/settings.ts'
import { formatCatalog } from './model/catalog-text.ts'
import { checkFileName } from './model/indirector/file-name.ts'
import { installRubyRegexpEngine } from './ruby/regexp-engine.ts'

/**
 * Data that JSON can say.
 * @public
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Code in a folder that is laid out as an environment: `manifests`, `modules`, `hiera.yaml`.
 * @public
 */
export interface CodeFolder {
  /** Path of the folder. */
  readonly directory: string
}

/**
 * Code of a commit in a Git repository; no working tree is read.
 * @public
 */
export interface CodeCommit {
  /** Path of the repository, bare or not. */
  readonly repository: string
  /** A branch, a tag or the id of a commit. */
  readonly ref: string
}

/**
 * Everything that a catalog is a function of.
 * @public
 */
export interface CatalogOptions {
  /** Manifests, modules and data. */
  readonly code: CodeFolder | CodeCommit
  /** The node's certname. */
  readonly node: string
  /** Name of the environment; `production` by default. */
  readonly environment?: string
  /** Facts by name; none by default. */
  readonly facts?: Readonly<Record<string, Json>>
  /** Classes to declare, as a classifier does. */
  readonly classes?: readonly string[]
  /** Settings by name, as puppet.conf has them; defaults for all others. No puppet.conf is read. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * A message of a compilation.
 * @public
 */
export interface LogMessage {
  /** `debug`, `info`, `notice`, `warning`, `err`, `alert`, `emerg` or `crit`. */
  readonly level: string
  /** The text, without its place. */
  readonly message: string
  /** The speaker: `Scope(Class[main])`; `Puppet` for the compiler itself. */
  readonly source: string
  /** Path of the manifest, where that is known. */
  readonly file: string | undefined
  /** Line from 1, where that is known. */
  readonly line: number | undefined
}

/**
 * A catalog, and the messages of its compilation.
 * @public
 */
export interface CompiledCatalog {
  /** The catalog with rich data, in JSON, as an agent gets it. */
  readonly json: string
  /** Messages in order. */
  readonly logs: readonly LogMessage[]
}

/**
 * An error of the code, its data or its options, in Puppet's words.
 * @public
 */
export class CompileError extends Error {
  /** Puppet's issue code, such as `UNKNOWN_VARIABLE`. */
  readonly code: string
  /** The next step, where there is one to name. */
  readonly hint: string | undefined
  /** Path of the manifest or data file, where that is known. */
  readonly file: string | undefined
  /** Line from 1, where that is known. */
  readonly line: number | undefined
  /** Column from 1, where that is known. */
  readonly column: number | undefined
  /** Messages before the error, in order. */
  readonly logs: readonly LogMessage[]

  /** @internal */
  constructor(message: string, { code, hint, span, wholeFile }: Diagnostic, logs: readonly LogMessage[]) {
    super(message)
    this.name = 'CompileError'
    this.code = code
    this.hint = hint
    this.file = span?.source.file
    const place = span && !wholeFile ? getLineAndColumn(span.source, span.start) : undefined
    this.line = place?.line
    this.column = place?.column
    this.logs = logs
  }
}

/**
 * Compiles the catalog of a node. The same options and the same code give the same bytes. Throws {@link CompileError}.
 * @public
 */
export async function compileCatalog(options: CatalogOptions): Promise<CompiledCatalog> {
  const { node, code, environment: name = 'production', facts, classes = [] } = options
  try {
    installRubyRegexpEngine()
    const certname = checkFileName('catalog', node)
    const settings = loadCatalogSettings(options)
    const { environment } =
      'directory' in code
        ? await openEnvironmentDirectory({ directory: code.directory, name }, settings)
        : await openCommit({ ...code, name }, settings, createDeployerFactory(settings))
    const given = facts && (parseJson(JSON.stringify(facts)) as Readonly<Record<string, ExactJson>>)
    const target = { node: certname, facts: given, classified: { classes, parameters: {} } }
    const { catalog, logs } = compile(buildCompileRequest(target, environment, settings))
    return { json: formatCatalog(catalog, { richData: true }), logs: logs.map(toLogMessage) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const logs = error instanceof CatalogError ? error.logs.map(toLogMessage) : []
    throw new CompileError(error.message, error.diagnostic, logs)
  }
}

/** Puts the modules of a Puppetfile into the commits that have one, unless the setting `puppetfile` is `ignore`. */
function createDeployerFactory(settings: Settings): OpenDeployer {
  return (source) => {
    const { deployments, close } = openDeployments(source, settings)
    return { deployed: deployments.deployed, close }
  }
}

/** Settings of no machine: the places of root's, and what is given. */
function loadCatalogSettings({ node, settings }: CatalogOptions): Settings {
  const places = { confdir: '/etc/plumb', vardir: '/var/lib/plumb' }
  return loadSettings({ given: { config: devNull, ...places, certname: node, ...settings }, env: {} })
}

function toLogMessage({ level, message, source, file, line }: CompileLog): LogMessage {
  return { level, message, source, file, line }
}
