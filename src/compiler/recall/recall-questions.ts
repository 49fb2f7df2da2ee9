import { type ExactJson, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { isNonIdentifier } from '../../language/evaluator/variable-watcher.ts'
import type { ExportSearch } from '../../model/exported-resource.ts'
import { isInAllowedFolders, parseOutsideEntry, readAllowedPath } from '../../network/outside/allowed-folders.ts'
import type { QuestionKind, TraceQuestion } from '../../ruby/trace/trace-question.ts'
import { formatExportedResources } from '../begin/exported-resources-text.ts'
import { repeatExternalQuery } from '../begin/external-queries.ts'
import { listSpecialParameters } from '../begin/node-parameters.ts'
import type { DefinitionKind } from '../code/definition-lookup.ts'
import { getModuleFiles, type ModuleFiles, type Place } from '../code/module-files.ts'
import { readKeyState } from '../hiera/secrets/key-files.ts'
import { listEnvironmentTrees, type ReadKind } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { createGeneratorCache } from '../request/generator-cache.ts'
import { listLoadPath } from '../ruby/load-path.ts'
import { computeRubyTypeDigest, computeSharedRubyDigest } from '../ruby/ruby-digest.ts'
import { createRubyView, type RubyView } from '../ruby/ruby-view.ts'
import { computeDataFileDigest, computeDataKeyDigest } from './data-digest.ts'
import { computeManifestDigest } from './module-manifest-digest.ts'
import { computeDefinitionDigest, computeSiteDigest } from './site-manifest-digest.ts'

/** A catalog request, with the code and files from which the questions of a trace are answered. */
export interface AnswerContext {
  readonly request: CompileRequest
  readonly files: ModuleFiles
  readonly trees: readonly CodeTree[]
  readonly seen: RubyView
}

/** Adds to a request the code and files from which questions are answered. */
export function createAnswerContext(request: CompileRequest): AnswerContext {
  const { environment, externalFolders: folders = [] } = request
  const readExternalEntry = (path: string) => parseOutsideEntry(readAllowedPath(path, folders))
  return {
    request,
    files: getModuleFiles(environment),
    trees: listEnvironmentTrees(environment),
    seen: createRubyView(environment, { folders, read: readExternalEntry }),
  }
}

/**
 * Answers a question of a trace as text. If it throws, the answer is `undefined`, which differs from each recorded
 * answer.
 */
type Answer = (wanted: AnswerContext, args: readonly string[]) => string | undefined

/** Questions about the request and external sources. The answers can differ between requests. */
const ofRequest = {
  fact: ({ request }, path) => formatFact(findFact(request, path)),
  'all-facts': ({ request }, path) => formatJson(findFact(request, path)),
  variable: ({ request }, [name = '']) => formatParameter(request, name) ?? formatFact(findFact(request, [name])),
  'all-variables': ({ request }) => formatExactJson([request.node.parameters, request.facts]),
  trusted: ({ request }, path) => formatFact(findMember(request.trusted, path)),
  'all-trusted': ({ request }, path) => formatJson(findMember(request.trusted, path)),
  'fact-names': ({ request }) => listVariableNames(request).join('\0'),
  'odd-fact-names': ({ request }) => listVariableNames(request).filter(isNonIdentifier).join('\0'),
  'special-parameters': ({ request }) => listSpecialParameters(request).join('\0'),
  exports: ({ request }, [search = '']) => {
    const found = request.searchExports?.(JSON.parse(search) as ExportSearch)
    return found && formatExportedResources(found)
  },
  outside({ request }, [question = '']) {
    const { generated = ownTexts, environment } = request
    return repeatExternalQuery(request, question, { texts: generated, commit: environment.tree.codeId })
  },
  'secret-key': (_, [path = '']) => readKeyState(path),
} satisfies Partial<Record<ReadKind, Answer>>

const ownTexts = createGeneratorCache()

/** Questions about code. The answers are the same for all requests in an environment. */
const ofCode = {
  kind: ({ trees }, [tree, path = '']) => {
    const entry = getTree(trees, tree).entry(path)
    return entry?.kind === 'file' && entry.executable ? 'program' : (entry?.kind ?? '')
  },
  bytes: ({ trees }, [tree, path = '']) => {
    const entry = getTree(trees, tree).entry(path)
    return entry?.kind === 'file' ? entry.oid : ''
  },
  link: ({ trees }, [tree, path = '']) => getTree(trees, tree).linkDestination(path) ?? '\0',
  folder: ({ trees }, [tree, path = '']) => getTree(trees, tree).list(path).join('\0'),
  syntax: ({ trees, request }, [tree, path = '', moduleFile = '']) =>
    computeManifestDigest(getTree(trees, tree), path, { strict: request.strict, moduleFile }),
  site: ({ request }) => computeSiteDigest(request),
  definition: ({ request }, [kind = '', name = '']) => computeDefinitionDigest(request, kind as DefinitionKind, name),
  data: ({ trees }, [tree, path = '', backend = '', key = '']) =>
    computeDataKeyDigest(getTree(trees, tree), path, backend, key),
  'all-data': ({ trees }, [tree, path = '', backend = '']) =>
    computeDataFileDigest(getTree(trees, tree), path, backend),
  time: ({ request }) => String(request.environment.tree.time),
  module: (wanted, [name = '']) => formatPlace(wanted, wanted.files.module(name)),
  modules: ({ files }) => files.names().join('\0'),
  'module-file': (wanted, [module = '', path = '']) => formatPlace(wanted, wanted.files.file(module, path)),
  'module-entry': (wanted, [module = '', path = '']) => formatPlace(wanted, wanted.files.fileOrFolder(module, path)),
  providers: ({ files }, [type = '']) => String(files.hasProviders(type)),
  'file-in-any': (wanted, [path = '']) => formatPlace(wanted, wanted.files.fileInAny(path)),
  shown: (wanted, [path = '']) => formatPlace(wanted, wanted.files.findDisplayedFile(path)),
  'load-path': ({ files }) => listLoadPath(files).join('\0'),
  ruby: ({ request, files }) => computeSharedRubyDigest(request.environment, files),
  'ruby-types': ({ request, files }) => computeRubyTypeDigest(request.environment, files),
  'ruby-path': ({ seen }, [path = '']) => seen.pathAnswer(path),
  'ruby-folder': ({ seen }, [path = '']) => seen.folderAnswer(path),
} satisfies Partial<Record<ReadKind, Answer>>

const answers: Readonly<Record<ReadKind, Answer>> = { ...ofRequest, ...ofCode }

/**
 * Returns true if a question has the same answer for all requests in an unchanged environment; false for questions
 * about folders outside the commit, which may change.
 */
export function isCodeQuestion({ kind, args }: TraceQuestion, { externalFolders = [] }: CompileRequest): boolean {
  if (!Object.hasOwn(ofCode, kind)) return false
  // The node definition that is used depends on the node.
  if (kind === 'definition' && args[0] === 'node') return false
  return !kind.startsWith('ruby-') || !isInAllowedFolders(String(args[0]), externalFolders)
}

/** Kinds of questions in the traces of compilations, by name. */
export const recallQuestions: Readonly<Record<string, QuestionKind<AnswerContext>>> = Object.fromEntries(
  Object.entries(answers).map(([kind, answer]) => [
    kind,
    {
      answer: (wanted, args) => tryAnswer(() => answer(wanted, args as readonly string[])),
      repeatable: () => true,
      aboutScope: false,
      reenters: false,
    } satisfies QuestionKind<AnswerContext>,
  ]),
)

/**
 * Returns `undefined` if the code is invalid or a source is unreachable; the new compilation then reports the error.
 */
function tryAnswer(answer: () => string | undefined): string | undefined {
  try {
    return answer()
  } catch {
    return undefined
  }
}

function getTree(trees: readonly CodeTree[], index: string | undefined): CodeTree {
  return trees[Number(index)]!
}

function formatPlace({ trees }: AnswerContext, place: Place | undefined): string {
  return place ? `${trees.indexOf(place.tree)}:${place.path}` : ''
}

function findFact({ facts }: CompileRequest, path: readonly string[]): ExactJson | undefined {
  return findMember(facts, path)
}

function findMember(whole: ExactJson, path: readonly string[]): ExactJson | undefined {
  return path.reduce<ExactJson | undefined>(
    (value, name) => getMember(isExactObject(value) ? value : null, name),
    whole,
  )
}

/** Returns the names of top-scope variables from node parameters and facts. */
function listVariableNames({ node, facts }: CompileRequest): readonly string[] {
  return [...Object.keys(node.parameters), ...Object.keys(facts)]
}

/** Returns the text of a node parameter from the classifier, which hides a fact with the same name. */
function formatParameter({ node }: CompileRequest, name: string): string | undefined {
  return Object.hasOwn(node.parameters, name) ? `parameter ${formatExactJson(node.parameters[name]!)}` : undefined
}

/** Returns the text of a scalar value; for a hash, only the word `hash`. */
function formatFact(value: ExactJson | undefined): string {
  return isExactObject(value) ? 'hash' : formatJson(value)
}

function formatJson(value: ExactJson | undefined): string {
  return value === undefined ? 'none' : formatExactJson(value)
}
