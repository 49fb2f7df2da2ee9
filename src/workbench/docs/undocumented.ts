import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { isPrivate } from './markdown/sections.ts'
import type { AttributeItem, DocItem, Docstring, FunctionItem, ItemPlace, ManifestItem, ModuleDocs } from './model.ts'

/** A part of a module without documentation, or documentation without its part. */
export interface DocProblem extends ItemPlace {
  /** Kind of the item, such as `class`. */
  readonly kind: string
  readonly name: string
  /** The part of the item, such as `parameter` or `return value`; undefined for the item itself. */
  readonly part: string | undefined
  /** Name of the part; undefined if its kind is its name. */
  readonly partName: string | undefined
  /** `undocumented`, or `unknown` for a documented parameter that the item does not have. */
  readonly problem: 'undocumented' | 'unknown'
}

/** Returns the undocumented parts of a module, by file and line. Items with `@api private` are omitted. */
export function findUndocumented(docs: ModuleDocs): readonly DocProblem[] {
  const manifestItems = [...docs.classes, ...docs.definedTypes, ...docs.plans]
  const others = [...docs.functions, ...docs.typeAliases, ...docs.dataTypes, ...docs.resourceTypes, ...docs.providers]
  const all = [...manifestItems, ...others, ...docs.tasks].filter(({ docstring }) => !isPrivate(docstring))
  const found = all.flatMap((item) => [...checkItem(item), ...checkParts(item)])
  return found.toSorted((a, b) => compareCodeUnits(a.file, b.file) || a.line - b.line)
}

type AnyItem = ModuleDocs[keyof ModuleDocs][number]
type Part = readonly [part: string, name: string | undefined, line: number]

function checkItem(item: AnyItem): DocProblem[] {
  return isDescribed(item.docstring) ? [] : [createProblem(item, undefined, 'undocumented')]
}

function isDescribed({ text, tags }: Docstring): boolean {
  return text !== '' || tags.some((tag) => tag.tag === 'summary' && tag.text !== undefined && tag.text !== '')
}

function checkParts(item: AnyItem): DocProblem[] {
  switch (item.kind) {
    case 'class':
    case 'defined type':
    case 'plan':
      return checkParameters(item)
    case 'function':
      return [...checkParameters(item), ...checkSignatures(item)]
    case 'data type':
      return listEmptyParameters(item.docstring).map((name) =>
        createProblem(item, ['parameter', name, item.line], 'undocumented'),
      )
    case 'resource type':
      return [
        ...listEmptyAttributes('property', item.properties),
        ...listEmptyAttributes('parameter', item.parameters),
        ...listEmptyAttributes('check', item.checks),
      ].map((part) => createProblem(item, part, 'undocumented'))
    case 'task':
      return item.parameters
        .filter(({ description }) => !description)
        .map(({ name }) => createProblem(item, ['parameter', name, item.line], 'undocumented'))
    default:
      return []
  }
}

/** Parameters without a description, and descriptions without a parameter. */
function checkParameters(item: ManifestItem | FunctionItem): DocProblem[] {
  const { docstring, parameters } = item
  const empty = new Set(listEmptyParameters(docstring))
  const known = new Set([...parameters.map(({ name }) => name), 'name', 'title'])
  const unknown = docstring.tags.filter(({ tag, name = '' }) => tag === 'param' && !known.has(name))
  return [
    ...parameters
      .filter(({ name }) => empty.has(name))
      .map(({ name, line }) => createProblem(item, ['parameter', name, line], 'undocumented')),
    ...(item.kind === 'function' && item.api !== 'puppet' ? [] : unknown).map(({ name }) =>
      createProblem(item, ['parameter', name, item.line], 'unknown'),
    ),
  ]
}

/** Undocumented parameters of Ruby functions, and undocumented results of all functions. */
function checkSignatures(item: FunctionItem): DocProblem[] {
  const parts = item.signatures.flatMap(({ docstring }): Part[] => {
    const names = item.api === 'puppet' ? [] : listEmptyParameters(docstring)
    const hasResult = docstring.tags.some(({ tag, text }) => tag === 'return' && text)
    return [
      ...names.map((name): Part => ['parameter', name, item.line]),
      ...(hasResult ? [] : [['return value', undefined, item.line] as const]),
    ]
  })
  return parts.map((part) => createProblem(item, part, 'undocumented'))
}

function listEmptyParameters({ tags }: Docstring): string[] {
  return tags.filter(({ tag, text }) => tag === 'param' && !text).map(({ name = '' }) => name)
}

function listEmptyAttributes(part: string, attributes: readonly AttributeItem[]): Part[] {
  return attributes.flatMap(({ name, description, line }) =>
    description === '' && line !== undefined ? [[part, name, line] as const] : [],
  )
}

function createProblem(
  { kind, name, file, line: itemLine }: DocItem & { readonly kind: string },
  part: Part | undefined,
  problem: DocProblem['problem'],
): DocProblem {
  // The metadata of a task has no lines of its own.
  const line = Math.max(part?.[2] ?? itemLine, 1)
  return { file, line, kind, name, part: part?.[0], partName: part?.[1], problem }
}

/** Formats a problem in one line, after its file and line. */
export function formatDocProblem({ file, line, kind, name, part, partName, problem }: DocProblem): string {
  const whole = `${kind} ${name}`
  const subject = part === undefined ? whole : `${part}${partName === undefined ? '' : ` ${partName}`} of ${whole}`
  const text = problem === 'unknown' ? `${subject} is documented but does not exist` : `${subject} has no description`
  return `${file}:${line}: ${text}`
}
