import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { toBufferView } from '../../../base/bytes/buffer-view.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import type { RubySession } from '../session.ts'
import { type CodeScan, type NamedConstant, scanFile, scanTemplate } from './code-scan.ts'
import { deniedMethods, knownConstants, knownMethods } from './stateless-methods.ts'
import type { CodeVerdict, TracedCode } from './traced-code.ts'

/** Cached code scans, by content of the file or text of the template. */
const scans = new LRUCache<string, { readonly scan: CodeScan | undefined }>({
  max: 5000,
  maxSize: budgets.environment.judgedCode.bound,
})

/** Names of the methods of Ruby's and Puppet's classes, which are the same in every machine. */
let methods: ReadonlySet<string> | undefined

/** Decides if calls of loaded code may be cached. Also scans all files that define constants used in the code. */
export function judgeCode(session: RubySession, code: TracedCode): CodeVerdict {
  const known = new Map<string, CodeScan | undefined>()
  const constants = new Set<string>()
  const heads = new Set<string>()
  const changed = new Set<string>()
  const calls = new Set<string>()
  const waiting = [...code.files]
  const templates = Array.from(code.texts, (text) => getCodeScan(session, `template ${text}`, text, true))
  for (const scan of templates) waiting.push(...listReferencedFiles(scan))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (known.has(file)) continue
    const bytes = session.host.files.readBytes(file)
    const text = bytes && toBufferView(bytes).toString('utf8')
    const scan =
      text === undefined
        ? undefined
        : getCodeScan(session, `file ${session.surroundings.pathAnswer(file)}`, text, false)
    known.set(file, scan)
    waiting.push(...listReferencedFiles(scan))
  }

  /** Returns other module files that the code refers to. */
  function listReferencedFiles(scan: CodeScan | undefined): readonly string[] {
    if (!scan || scan.constants.length === 0) return []
    const [files, named, held, moved] = session.ask('constants', [scan.constants.map(toTuple)]) as string[][]
    for (const each of named!) heads.add(each)
    for (const each of held!) constants.add(each)
    for (const each of moved!) changed.add(each)
    return files!
  }

  const all = [...templates, ...known.values()]
  const defines = new Set(all.flatMap((scan) => [...(scan?.defines ?? [])]))
  for (const scan of all) for (const each of scan?.calls ?? []) calls.add(each)
  const templateMethods = new Set(templates.flatMap((scan) => [...(scan?.templateMethods ?? [])]))
  const reason =
    findFirstReason(all, (scan) => (scan ? scan.reason : 'is not code')) ??
    findFirstReason(heads, (name) => (knownConstants.has(name) ? undefined : `names ${name}`)) ??
    findFirstReason(changed, (name) => `changes ${name}`) ??
    findFirstReason(calls, (name) =>
      isStatelessMethod(name, defines, listKnownMethods(session)) ? undefined : `calls ${name}`,
    )
  return { reason, files: new Set(known.keys()), calls: [...calls], templateMethods, constants: [...constants] }
}

function toTuple({ nesting, path, isCalled }: NamedConstant): Json {
  return [nesting as Json, path as Json, isCalled]
}

function getCodeScan(session: RubySession, id: string, text: string, isTemplate: boolean): CodeScan | undefined {
  const known = scans.get(id)
  if (known) return known.scan
  const said = session.ask('instructions', [text, isTemplate])
  const instructions: unknown = typeof said === 'string' ? JSON.parse(said) : undefined
  const scan = Array.isArray(instructions) ? (isTemplate ? scanTemplate : scanFile)(instructions) : undefined
  scans.set(id, { scan }, { size: text.length + 1 })
  return scan
}

/** Returns true if methods with this name keep no state between calls. */
function isStatelessMethod(name: string, defines: ReadonlySet<string>, methods: ReadonlySet<string>): boolean {
  const isOwn = defines.has(name) || (name.endsWith('=') && defines.has(name.slice(0, -1)))
  if (deniedMethods.has(name)) return isOwn && !/eval|exec|send|binding/.test(name)
  return isOwn || methods.has(name) || name.startsWith('function_')
}

function listKnownMethods(session: RubySession): ReadonlySet<string> {
  methods ??= new Set([...knownMethods, ...(session.ask('known_methods', []) as string[])])
  return methods
}

function findFirstReason<Item>(
  items: Iterable<Item>,
  reasonOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const reason = reasonOf(item)
    if (reason !== undefined) return reason
  }
  return undefined
}
