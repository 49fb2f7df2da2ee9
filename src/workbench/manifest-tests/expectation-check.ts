import { formatDiagnosticLine, PuppetError } from '../../base/issue.ts'
import { getLineAndColumn, type SourceSpan } from '../../base/source.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toBareError } from '../../compiler/request/catalog-error.ts'
import { isMatch } from '../../language/ruby-semantics/regexp/match.ts'
import { toLiteral } from '../../language/types/printing/text.ts'
import { Regexp } from '../../language/values/regexp.ts'
import type { Value } from '../../language/values/value.ts'
import { type Catalog, formatResourceReference, type Resource } from '../../model/catalog.ts'
import { capitalizeTypeName, formatReferenceValue } from '../../node/resources/reference.ts'
import type { Expectation, Reference } from './expectation.ts'
import { compareGolden, type GoldenFiles } from './golden-catalog.ts'
import { type ResourceOrder, resolveOrder } from './resource-order.ts'
import { matchesExpected } from './value-match.ts'

/** A reason why a test fails, with the location of the expectation or of the error. */
export interface TestFailure {
  readonly message: string
  readonly file: string | undefined
  readonly line: number | undefined
}

/** The result of a test's compilation. */
export type Compiled = { readonly catalog: Catalog } | { readonly error: PuppetError }

/** Checks the expectations of a test. A catalog that no agent could apply is a failure, too. */
export function checkExpectations(
  expectations: readonly Expectation[],
  compiled: Compiled,
  golden: GoldenFiles,
): readonly TestFailure[] {
  const expected = expectations.flatMap((each) => (each.kind === 'error' ? [each] : []))
  if ('error' in compiled) return checkError(compiled.error, expected)
  const { catalog } = compiled
  if (expected.length > 0)
    return expected.map(({ message, span }) =>
      createFailure(`The catalog compiled; expected an error with ${toLiteral(message)}`, span),
    )
  const order = readOrder(catalog)
  if ('message' in order) return [order]
  const check = new CatalogCheck(catalog, order, golden)
  return expectations.flatMap((each) => check.run(each).map((message) => createFailure(message, each.span)))
}

function checkError(
  error: PuppetError,
  expected: readonly Extract<Expectation, { kind: 'error' }>[],
): readonly TestFailure[] {
  const { message, file, line } = toBareError(error)
  if (expected.length === 0) return [{ message, file, line }]
  const text = formatDiagnosticLine(error.diagnostic)
  return expected
    .filter((each) => !(each.message instanceof Regexp ? isMatch(each.message, text) : text.includes(each.message)))
    .map((each) => createFailure(`The error is "${message}"; expected ${toLiteral(each.message)}`, each.span))
}

function readOrder(catalog: Catalog): ResourceOrder | TestFailure {
  try {
    return resolveOrder(catalog)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return createFailure(error.diagnostic.message, error.diagnostic.span)
  }
}

function createFailure(message: string, span: SourceSpan | undefined): TestFailure {
  return { message, file: span?.source.file, line: span && getLineAndColumn(span.source, span.start).line }
}

/** Largest number of characters of a value in a message. */
const shownCharacters = 500

class CatalogCheck {
  readonly #catalog: Catalog
  readonly #order: ResourceOrder
  readonly #golden: GoldenFiles
  readonly #resources: ReadonlyMap<string, Resource>

  constructor(catalog: Catalog, order: ResourceOrder, golden: GoldenFiles) {
    this.#catalog = catalog
    this.#order = order
    this.#golden = golden
    this.#resources = new Map(catalog.resources.map((each) => [formatResourceReference(each), each]))
  }

  /** Returns the messages of an expectation that is not met. */
  run(expectation: Expectation): readonly string[] {
    switch (expectation.kind) {
      case 'resource':
        return this.#checkResource(formatReference(expectation.reference), expectation.attributes)
      case 'no resource': {
        const reference = formatReference(expectation.reference)
        return this.#resources.has(reference) ? [`${reference} is in the catalog`] : []
      }
      case 'count': {
        const type = formatReference(expectation.type)
        const found = this.#catalog.resources.filter((each) => each.type === type).length
        return found === expectation.count
          ? []
          : [`The catalog contains ${found} resources of type ${type}, not ${expectation.count}`]
      }
      case 'order':
        return this.#checkOrder(expectation.references.map(formatReference))
      case 'catalog': {
        const difference = compareGolden(this.#catalog, expectation.name, this.#golden)
        return difference === undefined ? [] : [difference]
      }
      case 'error':
        return []
    }
  }

  #checkResource(reference: string, attributes: Iterable<readonly [Value, Value]>): readonly string[] {
    const resource = this.#resources.get(reference)
    if (!resource) return [this.#formatMissing(reference)]
    const { parameters } = resource
    return [...attributes].flatMap(([name, expected]) => {
      const actual = parameters.get(String(name)) ?? (name === 'name' || name === 'title' ? resource.title : undefined)
      if (matchesExpected(actual, expected)) return []
      return [`${name} of ${reference} is ${formatValue(actual)}; expected ${formatValue(expected)}`]
    })
  }

  #checkOrder(references: readonly string[]): readonly string[] {
    const missing = references.filter((each) => !this.#resources.has(each))
    if (missing.length > 0) return missing.map((each) => this.#formatMissing(each))
    return references.slice(1).flatMap((after, at) => {
      const before = references[at]!
      return this.#order.isBefore(before, after) ? [] : [`${before} is not required to be applied before ${after}`]
    })
  }

  #formatMissing(reference: string): string {
    const suggestion = formatSuggestion(reference, this.#resources.keys())
    return [`${reference} is not in the catalog`, suggestion].filter(Boolean).join('. ')
  }
}

function formatValue(value: Value): string {
  const text = value === undefined ? 'not set' : toLiteral(value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** A reference as text; without a title, the name of the type. */
function formatReference(reference: Reference): string {
  const text = formatReferenceValue(reference)
  if (text !== undefined) return text
  return reference.kind === 'Class' ? 'Class' : capitalizeTypeName(reference.typeName ?? 'resource')
}
