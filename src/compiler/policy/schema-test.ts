import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { fail, PuppetError } from '../../base/issue.ts'
import { linearPattern } from '../../base/text/linear-pattern.ts'
import { policyIssues } from './issues.ts'
import type { SchemaTest, Violation } from './policy.ts'
import { schemaProblem } from './schema-limits.ts'

// Loaded with the first schema: most commands have none.
const requireHere = createRequire(import.meta.url)

/** The place of a schema, for messages. */
interface SchemaPlace {
  readonly rule: string
  readonly file: string
}

/** The test of a JSON Schema (2020-12), given as plain data. Throws POLICY_SCHEMA. */
export function schemaTest(schema: unknown, place: SchemaPlace): SchemaTest {
  const refuse = (why: string): never => fail(policyIssues.POLICY_SCHEMA, { ...place, why })
  const problem = schemaProblem(schema)
  if (problem !== undefined) refuse(problem)
  const validate = compiled(schema, refuse)
  return (data) => {
    if (validate(data)) return undefined
    const { errors } = validate
    // The last one is the outermost: after what each branch of an anyOf says, that none of them holds.
    return violationOf(errors!.at(-1)!)
  }
}

function compiled(schema: unknown, refuse: (why: string) => never) {
  try {
    shared ??= validator()
    return shared.compile(schema as object)
  } catch (error) {
    if (error instanceof PuppetError) return refuse(error.diagnostic.message)
    return refuse((error as Error).message.replace(/^strict mode: /, ''))
  } finally {
    // What was compiled goes on without it.
    if (typeof schema === 'object') shared?.removeSchema(schema as object)
  }
}

/** One for all schemas: to check a schema by JSON Schema's own takes 50 ms the first time. */
let shared: Ajv2020 | undefined

function validator(): Ajv2020 {
  const { Ajv2020 } = requireHere('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv2020({
    strict: true,
    // `pattern` without `type: string` is how people write, and all that JSON Schema asks for.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
    ownProperties: true,
    verbose: true,
    addUsedSchema: false,
    // Code is as long as the schema is, however often a part of it is referred to.
    inlineRefs: false,
    code: { regExp: linear },
  })
  // By pairs it would take the square of a list's length.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, items: readonly unknown[]) => !isAsked || areUnique(items),
    error: { message: 'must NOT have duplicate items' },
  })
  return ajv
}

/** A regular expression of a schema; ajv knows it again by its text. */
const linear = Object.assign(
  (source: string) => {
    const pattern = linearPattern(source)
    return { test: (text: string) => pattern.find(text) !== undefined, toString: () => source }
  },
  { code: 'linear' },
)

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length
}

/** A text that two values have in common where they are equal, whatever the order of their members. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
  return `{${members.sort().join()}}`
}

function violationOf({ instancePath, keyword, params, message = '', data }: ErrorObject): Violation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required' || keyword === 'dependentRequired')
    return { path: [...path, params.missingProperty], message: 'is missing' }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { path: [...path, params.additionalProperty ?? params.unevaluatedProperty], message: 'may not be there' }
  const must = wordsFor(keyword, params) ?? message
  if (path.length === 0) return { path, message: must }
  return { path, message: `is ${shown(data)}, ${must.startsWith('is ') ? 'which' : 'and'} ${must}` }
}

/** Words of our own where those of ajv leave out what was expected, or name keywords only. */
function wordsFor(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === 'const') return `must be ${shown(params.allowedValue)}`
  if (keyword === 'enum') return `must be one of ${shown(params.allowedValues)}`
  return keyword === 'not' || keyword === 'false schema' ? 'is not allowed' : undefined
}

/** Characters of a value in a message. */
const maxShown = 80

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}
