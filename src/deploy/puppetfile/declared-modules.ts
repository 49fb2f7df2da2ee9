import { budgets } from '../../base/budgets/budgets.ts'
import { type Diagnostic, fail, PuppetError } from '../../base/issue.ts'
import { lineSpan, type Source } from '../../base/source.ts'
import { type Declaration, kindOf, type Plain } from './declarations.ts'
import type { DeclaredModule, Puppetfile } from './declared-module.ts'
import { puppetfileIssues as issues } from './issues.ts'
import { placedFolder, reasonAgainst } from './module-path.ts'
import { moduleSource, webAddress } from './module-source.ts'
import type { ModuleSources } from './module-sources.ts'
import { type ModuleOptions, moduleOptions } from './options.ts'

/** Context for validating a Puppetfile. */
export interface PuppetfileContext {
  readonly source: Source
  readonly sources: ModuleSources
  /** The environment's folder as Ruby sees it. */
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
export function declaredModules(declarations: readonly Declaration[], context: PuppetfileContext): Puppetfile {
  const reading: Reading = { ...context, moduledir: standardFolder, forge: undefined }
  const errors: unknown[] = []
  const modules: DeclaredModule[] = []
  for (const declaration of declarations) {
    try {
      const module = declared(declaration, reading)
      if (module) modules.push(module)
    } catch (error) {
      errors.push(atLine(error, context.source, declaration.line))
    }
  }
  errors.push(...collisions(modules, context.source))
  throwAll(errors)
  return { moduledir: reading.moduledir, forge: reading.forge, modules }
}

/** Throws a single error, or an AggregateError of several. */
export function throwAll(errors: readonly unknown[]): void {
  const [first, ...more] = errors
  if (first === undefined) return
  if (more.length === 0) throw first
  const text = first instanceof Error ? first.message : String(first)
  throw new AggregateError(errors, `${text} (and ${more.length} more)`)
}

/** Adds the line of the Puppetfile to an error without a location. */
export function atLine(error: unknown, source: Source, line: number): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.span) return error
  const diagnostic: Diagnostic = { ...error.diagnostic, span: lineSpan(source, line) }
  return new PuppetError(diagnostic, { cause: error })
}

function declared(declaration: Declaration, reading: Reading): DeclaredModule | undefined {
  const { word, given } = declaration
  if (word === 'mod') return moduleFrom(declaration, reading)
  const text = given !== null && typeof given === 'object' && 'symbol' in given ? given.symbol : given
  if (typeof text !== 'string') return fail(issues.PUPPETFILE_NOT_TEXT, { what: word, got: kindOf(given) })
  if (word === 'forge') reading.forge = forgeFrom(text, reading.sources)
  else reading.moduledir = folderFrom('moduledir', text, reading)
  return undefined
}

function forgeFrom(given: string, sources: ModuleSources): string | undefined {
  if (forgeOfPuppet.test(given)) return undefined
  const { href } = webAddress('The Forge', /^https?:/i.test(given) ? given : `https://${given}`, sources)
  return href.endsWith('/') ? href.slice(0, -1) : href
}

function folderFrom(what: string, given: string, { root }: Reading): string {
  const placed = placedFolder(given, root)
  return 'path' in placed ? placed.path : fail(issues.PUPPETFILE_PLACE, { what, path: given, why: placed.why })
}

function moduleFrom({ line, title: named, given }: Declaration & { word: 'mod' }, reading: Reading): DeclaredModule {
  const title = titleFrom(named)
  const { owner, name } = namesOf(title)
  const options = moduleOptions(title, optionsOf(given))
  const source = moduleSource(options, owner, reading)
  if (source.kind === 'local') options.allow('local', 'type', 'version', 'source')
  const path = pathOf(options, name, reading)
  // r10k removes spec/ only below moduledir: module/base.rb, maybe_delete_spec_dir.
  const excludesSpec = options.isTrue('exclude_spec') && options.isNil('install_path')
  return { title, owner, name, path, source, excludesSpec, line }
}

function titleFrom(named: Plain): string {
  const title = named !== null && typeof named === 'object' && 'symbol' in named ? named.symbol : named
  if (typeof title !== 'string') return fail(issues.PUPPETFILE_NOT_TEXT, { what: 'mod', got: kindOf(named) })
  return title
}

function namesOf(title: string): { readonly owner: string | undefined; readonly name: string } {
  const [, owner, name] = /^(?:(\w+)[-/])?(\w+)$/.exec(title) ?? []
  if (name === undefined || title.length > budgets.module.name.bound)
    return fail(issues.PUPPETFILE_MODULE_NAME, { module: title })
  return { owner: owner?.toLowerCase(), name }
}

/** Returns the options of a `mod`; without options, the argument is a Forge version. r10k: dsl.rb. */
function optionsOf(given: Plain): ReadonlyMap<string, Plain> {
  if (given !== null && typeof given === 'object' && 'options' in given) return given.options
  return new Map<string, Plain>([
    ['type', 'forge'],
    ['version', given],
  ])
}

function pathOf(options: ModuleOptions, name: string, reading: Reading): string {
  const given = options.text('install_path')
  const folder = given === undefined ? reading.moduledir : folderFrom(options.title, given, reading)
  const path = folder === '' ? name : `${folder}/${name}`
  const why = reasonAgainst(path, reading.present)
  return why === undefined ? path : fail(issues.PUPPETFILE_PLACE, { what: options.title, path, why })
}

/** Returns errors for modules with the same name, and for a module inside another. */
function collisions(modules: readonly DeclaredModule[], source: Source): readonly unknown[] {
  const names = new Map<string, DeclaredModule>()
  const paths = new Map(modules.map((module) => [module.path, module]))
  const errors: unknown[] = []
  const note = (module: DeclaredModule, work: () => void) => {
    try {
      work()
    } catch (error) {
      errors.push(atLine(error, source, module.line))
    }
  }
  for (const module of modules) {
    const { name, path, title } = module
    const before = names.get(name)
    names.set(name, before ?? module)
    if (before) note(module, () => fail(issues.PUPPETFILE_DUPLICATES, { name, line: before.line }))
    const outer = foldersAbove(path).find((folder) => paths.has(folder))
    if (outer !== undefined) {
      const why = `it is within the module ${paths.get(outer)!.title}`
      note(module, () => fail(issues.PUPPETFILE_PLACE, { what: title, path, why }))
    }
  }
  return errors
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
