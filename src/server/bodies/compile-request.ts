import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, entriesOf } from '../../base/json/exact-json.ts'
import { record } from '../../base/json/wire.ts'
import { printAst } from '../../language/pcore-ast/print-ast.ts'
import { type FactsDocument, factsDocument } from '../../model/facts.ts'
import { anyText, complaintAbout, flag, type Schema, valuesRecord } from '../http/input-schema.ts'
import { requestedIssues } from './requested-catalog.ts'

/** The body of `POST /puppet/v3/compile`. */
export interface CompileBody {
  readonly certname: string
  readonly environment: string | undefined
  readonly project: string | undefined
  /** Puppet code printed from the AST; empty if the request will be refused. */
  readonly code: string
  readonly facts: FactsDocument
  readonly trusted: ExactObject
  readonly variables: Readonly<Record<string, ExactJson>>
  readonly isForPlan: boolean
  readonly captureLogs: boolean
  readonly logLevel: string
}

/** Puppet Server: master_core.clj, CompileRequest. */
const schema: Schema = {
  kind: 'record',
  required: {
    code_ast: anyText,
    certname: anyText,
    variables: { kind: 'record', required: { values: { kind: 'map or maps' } }, optional: {} },
    facts: valuesRecord,
    trusted_facts: valuesRecord,
  },
  optional: {
    environment: anyText,
    versioned_project: anyText,
    target_variables: valuesRecord,
    job_id: anyText,
    transaction_uuid: anyText,
    options: {
      kind: 'record',
      required: {},
      optional: {
        capture_logs: flag,
        log_level: { kind: 'words', words: ['warning', 'error', 'info', 'debug'] },
        compile_for_plan: flag,
      },
    },
  },
}

const { body, factItems, astItems } = budgets.request

/**
 * Parses the body of `POST /puppet/v3/compile`. Throws INVALID_INPUT, AST_UNREADABLE, and JSON
 * errors.
 */
export function compileRequest(text: string): CompileBody {
  const value = text.trim() === '' ? null : parseBoundedJson(text, { characters: body.bound, items: factItems.bound })
  const complaint = complaintAbout(value, schema)
  if (complaint !== undefined) fail(requestedIssues.INVALID_INPUT, { complaint })
  const asked = record(value, 'the body') as unknown as Readonly<Record<string, ExactJson>>
  const { capture_logs, log_level = 'info', compile_for_plan } = record(asked.options ?? {}, 'options')
  const certname = asked.certname as string
  const values = (name: string) => record(asked[name], name).values as ExactObject
  const isForPlan = compile_for_plan === true
  const isCompiled = !isForPlan && asked.environment !== undefined && asked.versioned_project === undefined
  const json = asked.code_ast as string
  const ast = () => parseBoundedJson(json, { characters: body.bound, items: astItems.bound })
  return {
    ...{ certname, isForPlan, captureLogs: capture_logs === true, trusted: values('trusted_facts') },
    environment: asked.environment as string | undefined,
    project: asked.versioned_project as string | undefined,
    code: isCompiled ? printAst(ast(), json.length) : '',
    facts: factsDocument({
      name: certname,
      values: values('facts') as Record<string, ExactJson>,
      timestamp: undefined,
      expiration: undefined,
    }),
    variables: variablesIn(values('variables')),
    logLevel: log_level === 'error' ? 'err' : String(log_level),
  }
}

/**
 * Variables by name. Clients whose objects are unordered send a list of objects to keep the order.
 */
function variablesIn(values: ExactObject | readonly ExactObject[]): CompileBody['variables'] {
  const all = Array.isArray(values) ? values : [values]
  return Object.fromEntries(all.flatMap((each) => [...entriesOf(each as ExactObject)])) as CompileBody['variables']
}
