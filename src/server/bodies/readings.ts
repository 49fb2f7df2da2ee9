import { budgets } from '../../base/budgets/budgets.ts'
import { bufferView } from '../../base/bytes/buffer-view.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { isTooMuch, type JsonBounds, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { type FactsDocument, factsDocument, factsFromWire, valuesOf } from '../../model/facts.ts'
import { type ReceivedReport, reportFromWire, reportYaml } from '../../model/report.ts'
import { type ReportHead, textReadings } from '../../model/text-readings.ts'
import { type FactsSending, factsPayload } from '../../store/commands/writing/facts.ts'
import { type ReportSending, reportPayload } from '../../store/commands/writing/report.ts'
import { type Parameters, parameter, parseParameters } from '../http/parameters.ts'
import { type CompileBody, compileRequest } from './compile-request.ts'
import { type RequestedBody, requestedCatalog } from './requested-catalog.ts'

const issues = defineIssues({
  NO_FACTS_FORMAT: { text: (a: { node: string }) => `Facts but no fact format provided for ${a.node}` },
  FACTS_CONTENT_TYPE: { text: (_: object) => 'Unsupported facts format' },
  FACTS_UNREADABLE: { text: (a: { reason: string }) => `Could not intern from json: ${a.reason}` },
})

/** Parsed form of a catalog request. */
export interface CatalogForm {
  readonly parameters: Parameters
  readonly facts: FactsDocument | undefined
}

/** Names of the report processors. `sending` is undefined if the report is not stored. */
export interface ReportReading {
  readonly processors: readonly string[]
  readonly sending: ReportSending | undefined
}

/** Name of the node, and the data sent to the store with its facts. */
export interface FactsReading {
  readonly name: string
  readonly sending: FactsSending
}

const { body, factItems, factText, reportItems, reportLines } = budgets.request
const factBounds: JsonBounds = { characters: factText.bound, items: factItems.bound }
const reportBounds: JsonBounds = { characters: body.bound, items: reportItems.bound }

/**
 * Parsers and converters of bodies. Each reads JSON or a form in UTF-8, or MessagePack, and runs in
 * time and memory proportional to the input, on a thread if the input is large. Results are mostly
 * bytes, which are cheap to transfer.
 */
export const readings = {
  /** Facts of `PUT facts`, or from a file. */
  facts: (text: Uint8Array, _: string): FactsDocument => factsIn(decoded(text)),

  /** Body of `POST /puppet/v4/catalog`. */
  requestedCatalog: (text: Uint8Array, _: string): RequestedBody => requestedCatalog(decoded(text)),

  /** Body of `POST compile`, with its AST printed as code. */
  compileRequest: (text: Uint8Array, _: string): CompileBody => compileRequest(decoded(text)),

  /** Form of `POST catalog`; the argument is the node's name. */
  catalogForm(text: Uint8Array, node: string): CatalogForm {
    const parameters = parseParameters(decoded(text))
    const facts = factsOfForm(node, parameters)
    return { parameters: new Map([...parameters].filter(([name]) => name !== 'facts')), facts }
  },

  /** A report; the argument is a `ReportReading` as JSON. */
  report(text: Uint8Array, argument: string): ReportHead {
    const { processors, sending } = JSON.parse(argument) as ReportReading
    const body = parseBoundedJson(decoded(text), reportBounds)
    const report = reportFromWire(body)
    const said = processors.includes('log') ? report.logs.slice(0, reportLines.bound) : []
    const logs = said.map(({ level, message, source }) => ({ level, message, source }))
    const unsaid = report.logs.length - logs.length
    const yaml = processors.includes('store') && { yaml: reportYaml(body) }
    return { ...report, logs, unsaid, ...yaml, ...(sending && { stored: storedReport(body, sending) }) }
  },

  /** Store payload of facts; the argument is a `FactsReading` as JSON. */
  factsPayload(values: Uint8Array, argument: string): Uint8Array {
    const { name, sending } = parseJson(argument) as unknown as FactsReading
    return Buffer.from(printJson(factsPayload({ name, values: valuesOf(values) }, sending)))
  },

  /** Facts from the rows of a store's response; the argument is the node's name. */
  factRows(text: Uint8Array, name: string): FactsDocument | undefined {
    const rows = parseJson(decoded(text)) as readonly { readonly name: string; readonly value: ExactJson }[]
    const values = Object.fromEntries(
      rows.filter(({ name }) => name !== 'trusted').map(({ name, value }) => [name, value]),
    )
    const trusted = rows.find(({ name }) => name === 'trusted')?.value
    const document = factsDocument({ name, values, timestamp: undefined, expiration: undefined })
    return rows.length > 0 ? { ...document, ...(isExactObject(trusted) && { trusted }) } : undefined
  },

  ...textReadings,

  /** Merges facts, as JSON text. The argument is JSON text of facts that override them. */
  merged(values: Uint8Array, others: string): Uint8Array {
    const winning = parseJson(others) as Readonly<Record<string, ExactJson>>
    return Buffer.from(printJson({ ...valuesOf(values), ...winning }))
  },
} as const

/** Names of the readings. */
export type ReadingName = keyof typeof readings

/**
 * Creates the store payload of a report. A report that cannot be converted is still processed, so the problem is
 * returned, not thrown.
 */
function storedReport(body: ExactJson, sending: ReportSending): NonNullable<ReceivedReport['stored']> {
  try {
    return { payload: Buffer.from(printJson(reportPayload(body as ExactObject, sending))) }
  } catch (error) {
    if (isTooMuch(error)) throw error
    return { problem: reasonText(error) }
  }
}

/** Facts in form parameters; they are percent-encoded twice. */
export function factsOfForm(node: string, parameters: Parameters): FactsDocument | undefined {
  const text = parameter(parameters, 'facts')
  if (text === undefined) return undefined
  const format = parameter(parameters, 'facts_format')
  if (format === undefined) return fail(issues.NO_FACTS_FORMAT, { node })
  if (format !== 'application/json' && format !== 'pson') return fail(issues.FACTS_CONTENT_TYPE, {})
  try {
    return factsIn(decodeURIComponent(text.replaceAll('+', '%20')))
  } catch (error) {
    if (isTooMuch(error)) throw error
    const reason = reasonText(error)
    return fail(issues.FACTS_UNREADABLE, { reason })
  }
}

function factsIn(text: string): FactsDocument {
  return factsDocument(factsFromWire(parseBoundedJson(text, factBounds)))
}

function decoded(text: Uint8Array): string {
  return bufferView(text).toString('utf8')
}
