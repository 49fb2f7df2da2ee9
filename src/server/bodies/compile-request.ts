import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, getEntries } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { printAst } from '../../language/pcore-ast/print-ast.ts'
import { type FactsDocument, toFactsDocument } from '../../model/facts.ts'
import { booleanSchema, findSchemaViolation, type Schema, stringSchema, valuesSchema } from '../http/input-schema.ts'
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

/** Schema of the body. Puppet Server: master_core.clj, CompileRequest. */
const schema: Schema = {
  kind: 'record',
  required: {
    code_ast: stringSchema,
    certname: stringSchema,
    variables: { kind: 'record', required: { values: { kind: 'map or maps' } }, optional: {} },
    facts: valuesSchema,
    trusted_facts: valuesSchema,
  },
  optional: {
    environment: stringSchema,
    versioned_project: stringSchema,
    target_variables: valuesSchema,
    job_id: stringSchema,
    transaction_uuid: stringSchema,
    options: {
      kind: 'record',
      required: {},
      optional: {
        capture_logs: booleanSchema,
        log_level: { kind: 'words', words: ['warning', 'error', 'info', 'debug'] },
        compile_for_plan: booleanSchema,
      },
    },
  },
}

const { body, factItems, astItems } = budgets.request

/**
 * Parses the body of `POST /puppet/v3/compile`. Throws INVALID_INPUT, AST_UNREADABLE, and JSON
 * errors.
 */
export function parseCompileRequest(text: string): CompileBody {
  const value = text.trim() === '' ? null : parseBoundedJson(text, { characters: body.bound, items: factItems.bound })
  const complaint = findSchemaViolation(value, schema)
  if (complaint !== undefined) throwIssue(requestedIssues.INVALID_INPUT, { complaint })
  const asked = checkJsonObject(value, 'the body') as unknown as Readonly<Record<string, ExactJson>>
  const { capture_logs, log_level = 'info', compile_for_plan } = checkJsonObject(asked.options ?? {}, 'options')
  const certname = asked.certname as string
  const getRecordValues = (name: string) => checkJsonObject(asked[name], name).values as ExactObject
  const isForPlan = compile_for_plan === true
  const isCompiled = !isForPlan && asked.environment !== undefined && asked.versioned_project === undefined
  const json = asked.code_ast as string
  const parseAst = () => parseBoundedJson(json, { characters: body.bound, items: astItems.bound })
  return {
    ...{ certname, isForPlan, captureLogs: capture_logs === true, trusted: getRecordValues('trusted_facts') },
    environment: asked.environment as string | undefined,
    project: asked.versioned_project as string | undefined,
    code: isCompiled ? printAst(parseAst(), json.length) : '',
    facts: toFactsDocument({
      name: certname,
      values: getRecordValues('facts') as Record<string, ExactJson>,
      timestamp: undefined,
      expiration: undefined,
    }),
    variables: readVariables(getRecordValues('variables')),
    logLevel: log_level === 'error' ? 'err' : String(log_level),
  }
}

/**
 * Variables by name. Clients whose objects are unordered send a list of objects to keep the order.
 */
function readVariables(values: ExactObject | readonly ExactObject[]): CompileBody['variables'] {
  const all = Array.isArray(values) ? values : [values]
  return Object.fromEntries(all.flatMap((each) => [...getEntries(each as ExactObject)])) as CompileBody['variables']
}
