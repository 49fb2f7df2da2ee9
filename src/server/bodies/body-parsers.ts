import { budgets } from '../../base/budgets/budgets.ts'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isJsonLimitError, type JsonBounds, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { type FactsDocument, factsFromWire, parseFactValues, toFactsDocument } from '../../model/facts.ts'
import { modelReaders, type ReportHead } from '../../model/model-readers.ts'
import { formatReportYaml, type ReceivedReport, reportFromWire } from '../../model/report.ts'
import { buildFactsPayload, type FactsEnvelope } from '../../store/commands/writing/facts.ts'
import { buildReportPayload, type ReportEnvelope } from '../../store/commands/writing/report.ts'
import { getParameter, parseParameters, type RequestParameters } from '../http/parameters.ts'
import { type CompileBody, parseCompileRequest } from './compile-request.ts'
import { parseRequestedCatalog, type RequestedBody } from './requested-catalog.ts'

const issues = defineIssues({
  NO_FACTS_FORMAT: { text: (a: { node: string }) => `Facts but no fact format provided for ${a.node}` },
  FACTS_CONTENT_TYPE: { text: (_: object) => 'Unsupported facts format' },
  FACTS_UNREADABLE: { text: (a: { reason: string }) => `Could not intern from json: ${a.reason}` },
})

/** The form of a catalog request after parsing: its parameters and facts. */
export interface CatalogForm {
  readonly parameters: RequestParameters
  readonly facts: FactsDocument | undefined
}

/**
 * Argument of the parser `report`: the names of the report processors, and the data sent to the
 * store with the report; `sending` is undefined if the report is not stored.
 */
export interface ReportReading {
  readonly processors: readonly string[]
  readonly sending: ReportEnvelope | undefined
}

/** Argument of `factsPayload`: the name of the node, and the data sent to the store with its facts. */
export interface FactsReading {
  readonly name: string
  readonly sending: FactsEnvelope
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
  facts: (text: Uint8Array, _: string): FactsDocument => parseFacts(decodeText(text)),

  /** Body of `POST /puppet/v4/catalog`. */
  requestedCatalog: (text: Uint8Array, _: string): RequestedBody => parseRequestedCatalog(decodeText(text)),

  /** Body of `POST compile`, with its AST printed as code. */
  compileRequest: (text: Uint8Array, _: string): CompileBody => parseCompileRequest(decodeText(text)),

  /** Form of `POST catalog`; the argument is the node's name. */
  catalogForm(text: Uint8Array, node: string): CatalogForm {
    const parameters = parseParameters(decodeText(text))
    const facts = parseFormFacts(node, parameters)
    return { parameters: new Map([...parameters].filter(([name]) => name !== 'facts')), facts }
  },

  /** A report; the argument is a `ReportReading` as JSON. */
  report(text: Uint8Array, argument: string): ReportHead {
    const { processors, sending } = JSON.parse(argument) as ReportReading
    const body = parseBoundedJson(decodeText(text), reportBounds)
    const report = reportFromWire(body)
    const said = processors.includes('log') ? report.logs.slice(0, reportLines.bound) : []
    const logs = said.map(({ level, message, source }) => ({ level, message, source }))
    const unsaid = report.logs.length - logs.length
    const yaml = processors.includes('store') && { yaml: formatReportYaml(body) }
    return { ...report, logs, unsaid, ...yaml, ...(sending && { stored: toStoredReport(body, sending) }) }
  },

  /** Store payload of facts; the argument is a `FactsReading` as JSON. */
  factsPayload(values: Uint8Array, argument: string): Uint8Array {
    const { name, sending } = parseJson(argument) as unknown as FactsReading
    return Buffer.from(formatExactJson(buildFactsPayload({ name, values: parseFactValues(values) }, sending)))
  },

  /** Facts from the rows of a store's response; the argument is the node's name. */
  factRows(text: Uint8Array, name: string): FactsDocument | undefined {
    const rows = parseJson(decodeText(text)) as readonly { readonly name: string; readonly value: ExactJson }[]
    const values = Object.fromEntries(
      rows.filter(({ name }) => name !== 'trusted').map(({ name, value }) => [name, value]),
    )
    const trusted = rows.find(({ name }) => name === 'trusted')?.value
    const document = toFactsDocument({ name, values, timestamp: undefined, expiration: undefined })
    return rows.length > 0 ? { ...document, ...(isExactObject(trusted) && { trusted }) } : undefined
  },

  ...modelReaders,

  /** Merges facts, as JSON text. The argument is JSON text of facts that override them. */
  merged(values: Uint8Array, others: string): Uint8Array {
    const winning = parseJson(others) as Readonly<Record<string, ExactJson>>
    return Buffer.from(formatExactJson({ ...parseFactValues(values), ...winning }))
  },
} as const

/** Names of the body parsers and converters. */
export type ReadingName = keyof typeof readings

/**
 * Creates the store payload of a report. A report that cannot be converted is still processed, so the problem is
 * returned, not thrown.
 */
function toStoredReport(body: ExactJson, sending: ReportEnvelope): NonNullable<ReceivedReport['stored']> {
  try {
    return { payload: Buffer.from(formatExactJson(buildReportPayload(body as ExactObject, sending))) }
  } catch (error) {
    if (isJsonLimitError(error)) throw error
    return { problem: formatErrorReason(error) }
  }
}

/** Facts in the parameters of a form. Agents percent-encode them twice. */
export function parseFormFacts(node: string, parameters: RequestParameters): FactsDocument | undefined {
  const text = getParameter(parameters, 'facts')
  if (text === undefined) return undefined
  const format = getParameter(parameters, 'facts_format')
  if (format === undefined) return throwIssue(issues.NO_FACTS_FORMAT, { node })
  if (format !== 'application/json' && format !== 'pson') return throwIssue(issues.FACTS_CONTENT_TYPE, {})
  try {
    return parseFacts(decodeURIComponent(text.replaceAll('+', '%20')))
  } catch (error) {
    if (isJsonLimitError(error)) throw error
    const reason = formatErrorReason(error)
    return throwIssue(issues.FACTS_UNREADABLE, { reason })
  }
}

function parseFacts(text: string): FactsDocument {
  return toFactsDocument(factsFromWire(parseBoundedJson(text, factBounds)))
}

function decodeText(text: Uint8Array): string {
  return toBufferView(text).toString('utf8')
}
