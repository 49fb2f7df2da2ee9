import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'
import { record } from '../../base/json/wire.ts'
import { type FactsDocument, factsDocument } from '../../model/facts.ts'
import { anyText, complaintAbout, flag, type Schema, valuesRecord } from '../http/input-schema.ts'

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

/** Puppet Server: master_core.clj, CatalogRequestV4. */
const schema: Schema = {
  kind: 'record',
  required: {
    certname: anyText,
    persistence: { kind: 'record', required: { facts: flag, catalog: flag }, optional: {} },
    environment: {
      kind: 'matching',
      pattern: /^\w+$/,
      name: 'puppetlabs.services.master.master-core/valid-env-name?',
    },
  },
  optional: {
    trusted_facts: valuesRecord,
    facts: valuesRecord,
    job_id: anyText,
    transaction_uuid: anyText,
    options: {
      kind: 'record',
      required: {},
      optional: {
        capture_logs: flag,
        log_level: { kind: 'words', words: ['warning', 'err', 'info', 'debug'] },
        prefer_requested_environment: flag,
      },
    },
  },
}

const { body, factItems } = budgets.request

/** Parses the body of `POST /puppet/v4/catalog`. Throws INVALID_INPUT and JSON errors. */
export function requestedCatalog(text: string): RequestedBody {
  const value = text.trim() === '' ? null : parseBoundedJson(text, { characters: body.bound, items: factItems.bound })
  const complaint = complaintAbout(value, schema)
  if (complaint !== undefined) fail(requestedIssues.INVALID_INPUT, { complaint })
  const asked = record(value, 'the body')
  const {
    certname,
    environment,
    persistence,
    options = {},
  } = asked as unknown as Pick<RequestedBody, 'certname' | 'environment'> & {
    readonly persistence: unknown
    readonly options?: unknown
  }
  const kept = record(persistence, 'persistence')
  const { capture_logs, log_level, prefer_requested_environment } = record(options, 'options')
  const facts = asked.facts as ExactJson | undefined
  const values = facts === undefined ? undefined : valuesIn(facts)
  const given = asked.trusted_facts as ExactJson | undefined
  const trusted = given === undefined ? values && trustedAmong(values) : valuesIn(given)
  return {
    ...{ certname, environment, trusted },
    persistence: { facts: kept.facts === true, catalog: kept.catalog === true },
    facts: values && factsDocument({ name: certname, values, timestamp: undefined, expiration: undefined }),
    transactionUuid: asked.transaction_uuid as string | undefined,
    jobId: asked.job_id as string | undefined,
    captureLogs: capture_logs === true,
    logLevel: (log_level as string | undefined) ?? 'info',
    preferRequestedEnvironment: prefer_requested_environment === true,
  }
}

function valuesIn(holder: ExactJson): Record<string, ExactJson> {
  return record(record(holder, 'facts').values, 'values') as Record<string, ExactJson>
}

/** Trusted facts stored among the other facts, as in PuppetDB. */
function trustedAmong({ trusted }: Record<string, ExactJson>): ExactObject {
  const isRecord = typeof trusted === 'object' && trusted !== null && !Array.isArray(trusted)
  return (isRecord ? trusted : {}) as ExactObject
}
