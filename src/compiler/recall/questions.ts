import { type ExactJson, isExactObject, memberOf } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { isOddName } from '../../language/evaluator/watched-variables.ts'
import type { ExportSearch } from '../../model/exported-resource.ts'
import { entryOf, isInFolders, readOutside } from '../../network/outside/folders.ts'
import type { Question, QuestionKind } from '../../ruby/trace/question.ts'
import { importedText } from '../begin/imported-text.ts'
import { specialParameters } from '../begin/node-parameters.ts'
import { answerAgain } from '../begin/outside-questions.ts'
import type { DefinitionKind } from '../code/known-types.ts'
import { type ModuleFiles, moduleFiles, type Place } from '../code/module-files.ts'
import { readKeyState } from '../hiera/eyaml/secret-keys.ts'
import { type ReadKind, treesOf } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { generatedTexts } from '../request/generated-texts.ts'
import { loadPath } from '../ruby/load-path.ts'
import { rubyAnswer } from '../ruby/ruby-answer.ts'
import { sharedRubyDigest, typeDigest } from '../ruby/ruby-digest.ts'
import { type SeenByRuby, seenByRuby } from '../ruby/seen-by-ruby.ts'
import { allDataAnswer, dataAnswer } from './data-answer.ts'
import { definitionAnswer, siteAnswer } from './site-answer.ts'
import { syntaxAnswer } from './syntax-answer.ts'

/** A request for a catalog, with the sources that answer the questions of an earlier compilation. */
export interface Wanted {
  readonly request: CompileRequest
  readonly files: ModuleFiles
  readonly trees: readonly CodeTree[]
  readonly seen: SeenByRuby
}

/** Returns a request with the sources that answer questions. */
export function wantedOf(request: CompileRequest): Wanted {
  const { environment, externalFolders: folders = [] } = request
  const read = (path: string) => entryOf(readOutside(path, folders))
  return {
    request,
    files: moduleFiles(environment),
    trees: treesOf(environment),
    seen: seenByRuby(environment, { folders, read }),
  }
}

/**
 * Computes the answer to a question as text. If it throws, the answer is undefined, which differs from each recorded
 * answer.
 */
type Answer = (wanted: Wanted, args: readonly string[]) => string | undefined

/** Questions about facts and other parts of a request. Different requests can have different answers. */
const ofRequest = {
  fact: ({ request }, path) => factText(factAt(request, path)),
  'all-facts': ({ request }, path) => text(factAt(request, path)),
  variable: ({ request }, [name = '']) => parameterText(request, name) ?? factText(factAt(request, [name])),
  'all-variables': ({ request }) => printJson([request.node.parameters, request.facts]),
  trusted: ({ request }, path) => factText(at(request.trusted, path)),
  'all-trusted': ({ request }, path) => text(at(request.trusted, path)),
  'fact-names': ({ request }) => variableNames(request).join('\0'),
  'odd-fact-names': ({ request }) => variableNames(request).filter(isOddName).join('\0'),
  'special-parameters': ({ request }) => specialParameters(request).join('\0'),
  exports: ({ request }, [search = '']) => {
    const found = request.searchExports?.(JSON.parse(search) as ExportSearch)
    return found && importedText(found)
  },
  outside({ request }, [question = '']) {
    const { generated = ownTexts, environment } = request
    return answerAgain(request, question, { texts: generated, commit: environment.tree.codeId })
  },
  'secret-key': (_, [path = '']) => readKeyState(path),
} satisfies Partial<Record<ReadKind, Answer>>

const ownTexts = generatedTexts()

/** Questions about code. All requests in an environment have the same answer. */
const ofCode = {
  kind: ({ trees }, [tree, path = '']) => {
    const entry = treeAt(trees, tree).entry(path)
    return entry?.kind === 'file' && entry.executable ? 'program' : (entry?.kind ?? '')
  },
  bytes: ({ trees }, [tree, path = '']) => {
    const entry = treeAt(trees, tree).entry(path)
    return entry?.kind === 'file' ? entry.oid : ''
  },
  'ruby-code': ({ trees }, [tree, path = '']) => rubyAnswer(treeAt(trees, tree), path),
  link: ({ trees }, [tree, path = '']) => treeAt(trees, tree).linkDestination(path) ?? '\0',
  folder: ({ trees }, [tree, path = '']) => treeAt(trees, tree).list(path).join('\0'),
  syntax: ({ trees, request }, [tree, path = '', moduleFile = '']) =>
    syntaxAnswer(treeAt(trees, tree), path, { strict: request.strict, moduleFile }),
  site: ({ request }) => siteAnswer(request),
  definition: ({ request }, [kind = '', name = '']) => definitionAnswer(request, kind as DefinitionKind, name),
  data: ({ trees }, [tree, path = '', backend = '', key = '']) => dataAnswer(treeAt(trees, tree), path, backend, key),
  'all-data': ({ trees }, [tree, path = '', backend = '']) => allDataAnswer(treeAt(trees, tree), path, backend),
  time: ({ request }) => String(request.environment.tree.time),
  module: (wanted, [name = '']) => placeText(wanted, wanted.files.module(name)),
  modules: ({ files }) => files.names().join('\0'),
  'module-file': (wanted, [module = '', path = '']) => placeText(wanted, wanted.files.file(module, path)),
  'module-entry': (wanted, [module = '', path = '']) => placeText(wanted, wanted.files.fileOrFolder(module, path)),
  providers: ({ files }, [type = '']) => String(files.hasProviders(type)),
  'file-in-any': (wanted, [path = '']) => placeText(wanted, wanted.files.fileInAny(path)),
  shown: (wanted, [path = '']) => placeText(wanted, wanted.files.placeOf(path)),
  'load-path': ({ files }) => loadPath(files).join('\0'),
  ruby: ({ request, files }) => sharedRubyDigest(request.environment, files),
  'ruby-types': ({ request, files }) => typeDigest(request.environment, files),
  'ruby-path': ({ seen }, [path = '']) => seen.pathAnswer(path),
  'ruby-folder': ({ seen }, [path = '']) => seen.folderAnswer(path),
} satisfies Partial<Record<ReadKind, Answer>>

const answers: Readonly<Record<ReadKind, Answer>> = { ...ofRequest, ...ofCode }

/**
 * Returns true if all requests in an unchanged environment have the same answer to a question. The answer is different
 * for folders outside the commit, which may change.
 */
export function isOfCode({ kind, args }: Question, { externalFolders = [] }: CompileRequest): boolean {
  if (!Object.hasOwn(ofCode, kind)) return false
  // The node definition that is used depends on the node.
  if (kind === 'definition' && args[0] === 'node') return false
  return !kind.startsWith('ruby-') || !isInFolders(String(args[0]), externalFolders)
}

/** Kinds of questions that compilations ask, by name. */
export const questions: Readonly<Record<string, QuestionKind<Wanted>>> = Object.fromEntries(
  Object.entries(answers).map(([kind, answer]) => [
    kind,
    {
      answer: (wanted, args) => ifAny(() => answer(wanted, args as readonly string[])),
      repeatable: () => true,
      aboutScope: false,
      reenters: false,
    } satisfies QuestionKind<Wanted>,
  ]),
)

/**
 * Returns `undefined` if the code is invalid or a source is unreachable; the new compilation then reports the error.
 */
function ifAny(answer: () => string | undefined): string | undefined {
  try {
    return answer()
  } catch {
    return undefined
  }
}

function treeAt(trees: readonly CodeTree[], index: string | undefined): CodeTree {
  return trees[Number(index)]!
}

function placeText({ trees }: Wanted, place: Place | undefined): string {
  return place ? `${trees.indexOf(place.tree)}:${place.path}` : ''
}

function factAt({ facts }: CompileRequest, path: readonly string[]): ExactJson | undefined {
  return at(facts, path)
}

function at(whole: ExactJson, path: readonly string[]): ExactJson | undefined {
  return path.reduce<ExactJson | undefined>((value, name) => memberOf(isExactObject(value) ? value : null, name), whole)
}

/** Returns the names of top-scope variables from node parameters and facts. */
function variableNames({ node, facts }: CompileRequest): readonly string[] {
  return [...Object.keys(node.parameters), ...Object.keys(facts)]
}

/** Returns the text of a node parameter from the classifier, which hides a fact with the same name. */
function parameterText({ node }: CompileRequest, name: string): string | undefined {
  return Object.hasOwn(node.parameters, name) ? `parameter ${printJson(node.parameters[name]!)}` : undefined
}

/** Returns the text of a scalar value; for a hash, only the word `hash`. */
function factText(value: ExactJson | undefined): string {
  return isExactObject(value) ? 'hash' : text(value)
}

function text(value: ExactJson | undefined): string {
  return value === undefined ? 'none' : printJson(value)
}
