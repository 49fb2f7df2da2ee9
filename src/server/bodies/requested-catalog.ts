import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { type FactsDocument, toFactsDocument } from '../../model/facts.ts'
import { booleanSchema, findSchemaViolation, type Schema, stringSchema, valuesSchema } from '../http/input-schema.ts'

/** Errors in the body of a catalog request, in the format of Puppet Server. */
export const requestedIssues = defineIssues({
  INVALID_INPUT: { text: (a: { complaint: string }) => `Invalid input: ${a.complaint}` },
})

/** The body of `POST /puppet/v4/catalog`. */
export interface RequestedBody {
  readonly certname: string
  readonly environment: string
  readonly persistence: { readonly facts: boolean; readonly catalog: boolean }
  readonly facts: FactsDocument | undefined
  readonly trusted: ExactObject | undefined
  readonly transactionUuid: string | undefined
  readonly jobId: string | undefined
  readonly captureLogs: boolean
  readonly logLevel: string
  readonly preferRequestedEnvironment: boolean
}

/** Schema of the body. Puppet Server: master_core.clj, CatalogRequestV4. */
const schema: Schema = {
  kind: 'record',
  required: {
    certname: stringSchema,
    persistence: { kind: 'record', required: { facts: booleanSchema, catalog: booleanSchema }, optional: {} },
    environment: {
      kind: 'matching',
      pattern: /^\w+$/,
      name: 'puppetlabs.services.master.master-core/valid-env-name?',
    },
  },
  optional: {
    trusted_facts: valuesSchema,
    facts: valuesSchema,
    job_id: stringSchema,
    transaction_uuid: stringSchema,
    options: {
      kind: 'record',
      required: {},
      optional: {
        capture_logs: booleanSchema,
        log_level: { kind: 'words', words: ['warning', 'err', 'info', 'debug'] },
        prefer_requested_environment: booleanSchema,
      },
    },
  },
}

const { body, factItems } = budgets.request

/** Parses the body of `POST /puppet/v4/catalog`. Throws INVALID_INPUT and JSON errors. */
export function parseRequestedCatalog(text: string): RequestedBody {
  const value = text.trim() === '' ? null : parseBoundedJson(text, { characters: body.bound, items: factItems.bound })
  const complaint = findSchemaViolation(value, schema)
  if (complaint !== undefined) throwIssue(requestedIssues.INVALID_INPUT, { complaint })
  const asked = checkJsonObject(value, 'the body')
  const {
    certname,
    environment,
    persistence,
    options = {},
  } = asked as unknown as Pick<RequestedBody, 'certname' | 'environment'> & {
    readonly persistence: unknown
    readonly options?: unknown
  }
  const kept = checkJsonObject(persistence, 'persistence')
  const { capture_logs, log_level, prefer_requested_environment } = checkJsonObject(options, 'options')
  const facts = asked.facts as ExactJson | undefined
  const values = facts === undefined ? undefined : readValues(facts)
  const given = asked.trusted_facts as ExactJson | undefined
  const trusted = given === undefined ? values && getTrustedFacts(values) : readValues(given)
  return {
    ...{ certname, environment, trusted },
    persistence: { facts: kept.facts === true, catalog: kept.catalog === true },
    facts: values && toFactsDocument({ name: certname, values, timestamp: undefined, expiration: undefined }),
    transactionUuid: asked.transaction_uuid as string | undefined,
    jobId: asked.job_id as string | undefined,
    captureLogs: capture_logs === true,
    logLevel: (log_level as string | undefined) ?? 'info',
    preferRequestedEnvironment: prefer_requested_environment === true,
  }
}

function readValues(holder: ExactJson): Record<string, ExactJson> {
  return checkJsonObject(checkJsonObject(holder, 'facts').values, 'values') as Record<string, ExactJson>
}

/** Trusted facts stored among the other facts, as in PuppetDB. */
function getTrustedFacts({ trusted }: Record<string, ExactJson>): ExactObject {
  const isRecord = typeof trusted === 'object' && trusted !== null && !Array.isArray(trusted)
  return (isRecord ? trusted : {}) as ExactObject
}
