import { budgets } from '../../base/budgets/budgets.ts'
import { type Diagnostic, PuppetError, throwIssue } from '../../base/issue.ts'
import { getLineSpan, type Source } from '../../base/source.ts'
import type { ModuleSources } from './allowed-sources.ts'
import { describeValueType, type PuppetfileDeclaration, type PuppetfileValue } from './declarations.ts'
import { puppetfileIssues as issues } from './issues.ts'
import type { DeclaredModule, Puppetfile } from './module-declaration.ts'
import { createModuleOptions, type ModuleOptions } from './module-options.ts'
import { findPathProblem, normalizeFolder } from './module-path.ts'
import { createModuleSource, parseWebAddress } from './module-source.ts'

/** Context for validating a Puppetfile. */
export interface PuppetfileContext {
  readonly source: Source
  readonly sources: ModuleSources
  /** Path of the environment's folder as the Ruby code sees it. */
  readonly root: string
  /** Names in the root folder of the control repository, if known. */
  readonly present: ReadonlySet<string> | undefined
}

/** Default folder of modules. r10k: module_loader/puppetfile.rb. */
const standardFolder = 'modules'

/**
 * Names of Puppet's Forge, which mean the Forge of the setting module_repository: any of its
 * current or former addresses, with or without protocol. r10k ignores them all.
 */
const forgeOfPuppet = /^(?:https?:\/\/)?(?:forge|forgeapi|forgeapi-cdn)\.puppet(?:labs)?\.com\/?$/i

interface Reading extends PuppetfileContext {
  moduledir: string
  forge: string | undefined
}

/** Builds a Puppetfile from its declarations. Reports all errors together: throws PUPPETFILE_…, or AggregateError. */
export function buildPuppetfile(
  declarations: readonly PuppetfileDeclaration[],
  context: PuppetfileContext,
): Puppetfile {
  const reading: Reading = { ...context, moduledir: standardFolder, forge: undefined }
  const errors: unknown[] = []
  const modules: DeclaredModule[] = []
  for (const declaration of declarations) {
    try {
      const module = evaluateDeclaration(declaration, reading)
      if (module) modules.push(module)
    } catch (error) {
      errors.push(addErrorLine(error, context.source, declaration.line))
    }
  }
  errors.push(...findCollisions(modules, context.source))
  throwErrors(errors)
  return { moduledir: reading.moduledir, forge: reading.forge, modules }
}

/** Throws a single error, or an AggregateError of several. */
export function throwErrors(errors: readonly unknown[]): void {
  const [first, ...more] = errors
  if (first === undefined) return
  if (more.length === 0) throw first
  const text = first instanceof Error ? first.message : String(first)
  throw new AggregateError(errors, `${text} (and ${more.length} more)`)
}

/** Adds the line of the Puppetfile to an error without a location. */
export function addErrorLine(error: unknown, source: Source, line: number): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.span) return error
  const diagnostic: Diagnostic = { ...error.diagnostic, span: getLineSpan(source, line) }
  return new PuppetError(diagnostic, { cause: error })
}

function evaluateDeclaration(declaration: PuppetfileDeclaration, reading: Reading): DeclaredModule | undefined {
  const { word, given } = declaration
  if (word === 'mod') return parseModule(declaration, reading)
  const text = given !== null && typeof given === 'object' && 'symbol' in given ? given.symbol : given
  if (typeof text !== 'string')
    return throwIssue(issues.PUPPETFILE_NOT_TEXT, { what: word, got: describeValueType(given) })
  if (word === 'forge') reading.forge = parseForge(text, reading.sources)
  else reading.moduledir = parseFolder('moduledir', text, reading)
  return undefined
}

function parseForge(given: string, sources: ModuleSources): string | undefined {
  if (forgeOfPuppet.test(given)) return undefined
  const { href } = parseWebAddress('The Forge', /^https?:/i.test(given) ? given : `https://${given}`, sources)
  return href.endsWith('/') ? href.slice(0, -1) : href
}

function parseFolder(what: string, given: string, { root }: Reading): string {
  const placed = normalizeFolder(given, root)
  return 'path' in placed ? placed.path : throwIssue(issues.PUPPETFILE_PLACE, { what, path: given, why: placed.why })
}

function parseModule(
  { line, title: named, given }: PuppetfileDeclaration & { word: 'mod' },
  reading: Reading,
): DeclaredModule {
  const title = parseTitle(named)
  const { owner, name } = splitModuleTitle(title)
  const options = createModuleOptions(title, getModuleArguments(given))
  const source = createModuleSource(options, owner, reading)
  if (source.kind === 'local') options.allow('local', 'type', 'version', 'source')
  const path = getModulePath(options, name, reading)
  // r10k removes spec/ only below moduledir: module/base.rb, maybe_delete_spec_dir.
  const excludesSpec = options.isTrue('exclude_spec') && options.isNil('install_path')
  return { title, owner, name, path, source, excludesSpec, line }
}

function parseTitle(named: PuppetfileValue): string {
  const title = named !== null && typeof named === 'object' && 'symbol' in named ? named.symbol : named
  if (typeof title !== 'string')
    return throwIssue(issues.PUPPETFILE_NOT_TEXT, { what: 'mod', got: describeValueType(named) })
  return title
}

function splitModuleTitle(title: string): { readonly owner: string | undefined; readonly name: string } {
  const [, owner, name] = /^(?:(\w+)[-/])?(\w+)$/.exec(title) ?? []
  if (name === undefined || title.length > budgets.module.name.bound)
    return throwIssue(issues.PUPPETFILE_MODULE_NAME, { module: title })
  return { owner: owner?.toLowerCase(), name }
}

/** Returns the options of a `mod`; without options, the argument is a Forge version. r10k: dsl.rb. */
function getModuleArguments(given: PuppetfileValue): ReadonlyMap<string, PuppetfileValue> {
  if (given !== null && typeof given === 'object' && 'options' in given) return given.options
  return new Map<string, PuppetfileValue>([
    ['type', 'forge'],
    ['version', given],
  ])
}

function getModulePath(options: ModuleOptions, name: string, reading: Reading): string {
  const given = options.text('install_path')
  const folder = given === undefined ? reading.moduledir : parseFolder(options.title, given, reading)
  const path = folder === '' ? name : `${folder}/${name}`
  const why = findPathProblem(path, reading.present)
  return why === undefined ? path : throwIssue(issues.PUPPETFILE_PLACE, { what: options.title, path, why })
}

/** Returns errors for modules with the same name, and for a module inside another. */
function findCollisions(modules: readonly DeclaredModule[], source: Source): readonly unknown[] {
  const names = new Map<string, DeclaredModule>()
  const paths = new Map(modules.map((module) => [module.path, module]))
  const errors: unknown[] = []
  const collectModuleErrors = (module: DeclaredModule, work: () => void) => {
    try {
      work()
    } catch (error) {
      errors.push(addErrorLine(error, source, module.line))
    }
  }
  for (const module of modules) {
    const { name, path, title } = module
    const before = names.get(name)
    names.set(name, before ?? module)
    if (before) collectModuleErrors(module, () => throwIssue(issues.PUPPETFILE_DUPLICATES, { name, line: before.line }))
    const outer = listParentFolders(path).find((folder) => paths.has(folder))
    if (outer !== undefined) {
      const why = `the path is inside the module ${paths.get(outer)!.title}`
      collectModuleErrors(module, () => throwIssue(issues.PUPPETFILE_PLACE, { what: title, path, why }))
    }
  }
  return errors
}

function listParentFolders(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
