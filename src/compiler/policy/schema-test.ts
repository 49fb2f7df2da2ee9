import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { compileLinearPattern } from '../../base/text/linear-pattern.ts'
import { policyIssues } from './issues.ts'
import type { SchemaTest, Violation } from './policy.ts'
import { findSchemaProblem } from './schema-limits.ts'

// Loads the validator when the first schema is compiled, since most commands need no schemas.
const requireHere = createRequire(import.meta.url)

/** The rule and file of a schema, for messages. */
interface SchemaPlace {
  readonly rule: string
  readonly file: string
}

/** Compiles a JSON Schema (2020-12), given as plain data. Throws POLICY_SCHEMA. */
export function compileSchemaTest(schema: unknown, place: SchemaPlace): SchemaTest {
  const rejectSchema = (why: string): never => throwIssue(policyIssues.POLICY_SCHEMA, { ...place, why })
  const problem = findSchemaProblem(schema)
  if (problem !== undefined) rejectSchema(problem)
  const validate = compileSchema(schema, rejectSchema)
  return (data) => {
    if (validate(data)) return undefined
    const { errors } = validate
    // The last error is the outermost error: the errors of the branches of an anyOf precede the error of the anyOf.
    return toViolation(errors!.at(-1)!)
  }
}

function compileSchema(schema: unknown, refuse: (why: string) => never) {
  try {
    shared ??= createValidator()
    return shared.compile(schema as object)
  } catch (error) {
    if (error instanceof PuppetError) return refuse(error.diagnostic.message)
    return refuse((error as Error).message.replace(/^strict mode: /, ''))
  } finally {
    // The compiled function does not need the schema any more.
    if (typeof schema === 'object') shared?.removeSchema(schema as object)
  }
}

/** All schemas share one validator, since the first validation against the metaschema takes 50 ms. */
let shared: Ajv2020 | undefined

function createValidator(): Ajv2020 {
  const { Ajv2020 } = requireHere('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv2020({
    strict: true,
    // JSON Schema allows `pattern` without `type: string`, and many schemas omit the type.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
    ownProperties: true,
    verbose: true,
    addUsedSchema: false,
    // Without inlining, the length of the generated code does not depend on the number of references to a part.
    inlineRefs: false,
    code: { regExp: linear },
  })
  // The original keyword compares all pairs of items, which takes quadratic time.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, items: readonly unknown[]) => !isAsked || hasUniqueItems(items),
    error: { message: 'must NOT have duplicate items' },
  })
  return ajv
}

/** Compiles a schema's regular expression to a matcher that takes linear time; ajv caches the matcher by the source. */
const linear = Object.assign(
  (source: string) => {
    const pattern = compileLinearPattern(source)
    return { test: (text: string) => pattern.find(text) !== undefined, toString: () => source }
  },
  { code: 'linear' },
)

function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toCanonicalText)).size === items.length
}

/** Returns a text that is the same for equal values, whatever the order of their members. */
function toCanonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join()}]`
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${toCanonicalText(each)}`)
  return `{${members.sort().join()}}`
}

function toViolation({ instancePath, keyword, params, message = '', data }: ErrorObject): Violation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required' || keyword === 'dependentRequired')
    return { path: [...path, params.missingProperty], message: 'is missing' }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { path: [...path, params.additionalProperty ?? params.unevaluatedProperty], message: 'is not allowed' }
  const must = formatKeywordMessage(keyword, params) ?? message
  if (path.length === 0) return { path, message: must }
  return { path, message: `is ${formatShortValue(data)}, ${must.startsWith('is ') ? 'which' : 'and'} ${must}` }
}

/** Returns our own message if ajv's message omits the expected value or contains only the name of a keyword. */
function formatKeywordMessage(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === 'const') return `must be ${formatShortValue(params.allowedValue)}`
  if (keyword === 'enum') return `must be one of ${formatShortValue(params.allowedValues)}`
  return keyword === 'not' || keyword === 'false schema' ? 'is not allowed' : undefined
}

/** Messages display at most this number of characters of a value. */
const maxShown = 80

function formatShortValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}
