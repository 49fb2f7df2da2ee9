import { type ExactJson, getEntries, getMember, isExactObject } from '../../../base/json/exact-json.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import type { CallContext } from '../../../language/host.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { isTruthy, type Value } from '../../../language/values/value.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import type { LookupContext } from '../lookup-context.ts'
import { askSecret, pickTexts } from '../secrets/ask-secret.ts'
import { explain } from '../secrets/secret-names.ts'
import { hieraAwsIssues } from './issues.ts'

/** The key of the cache of a level that contains all parameters. */
const filled = 'ssm_cached'

/**
 * The function `hiera_ssm_paramstore` for `lookup_key:`, with the options, results and messages of the module
 * `hiera_ssm_paramstore`. The server reads from AWS; the module's own function, which needs gems and a network, is not
 * used.
 */
export const hieraSsmParameterStore = defineFunction(
  'hiera_ssm_paramstore',
  'Looks up a key in the Parameter Store of AWS Systems Manager.',
  {
    'Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context?': (
      given: Value,
      options: Hash,
      context: LookupContext | undefined,
      call: CallContext,
    ) => {
      const key = String(given)
      const uri = options.get('uri')
      if (typeof uri !== 'string') return failWithoutLocation(hieraAwsIssues.SSM_NO_URI, {})
      const path = uri + key.replaceAll('::', '/')
      if (!context) return readParameter(path, options, call)
      const interpolated = String(context.interpolate(path))
      return isTruthy(options.get('get_all'))
        ? findInAll(key, interpolated, options, context)
        : findParameter(interpolated, options, context)
    },
  },
)

function findParameter(path: string, options: Hash, context: LookupContext): Value {
  const { data, invocation } = context
  if (data.cache.has(path)) {
    explain(context, `Returning cached value for ${path}`)
    return data.cache.get(path)
  }
  explain(context, `Looking for ${path}`)
  const text = readParameter(path, options, invocation.context)
  if (text === undefined) {
    explain(context, `Key ${path} not found`)
    return context.notFound()
  }
  data.cache = data.cache.with(path, text)
  return text
}

function readParameter(path: string, options: Hash, call: Pick<CallContext, 'host'>): string | undefined {
  const text = getMember(getMember(ask({ path }, options, call, `names: [${path}]`), 'data'), 'text')
  return typeof text === 'string' ? text : undefined
}

/** Reads all parameters below the option `uri` once. Parameters at the root have names without a slash. */
function findInAll(key: string, path: string, options: Hash, context: LookupContext): Value {
  const { data } = context
  if (data.cache.has(filled)) explain(context, 'Cache populated!!!')
  else fillCache(String(options.get('uri')), options, context)
  for (const [name, shown] of [
    [key, `value for key ${key}`],
    [path, `value for ${key}`],
  ] as const)
    if (data.cache.has(name)) {
      explain(context, `Returning ${shown}`)
      return data.cache.get(name)
    }
  explain(context, `Key ${key} not found`)
  return context.notFound()
}

function fillCache(uri: string, options: Hash, context: LookupContext): void {
  for (const text of ['No cache, caching...', `Getting keys on ${uri} ...`]) explain(context, text)
  const list = isTruthy(options.get('recursive')) ? 'recursive' : true
  const found = getMember(ask({ path: uri, list }, options, context.invocation.context, `path: ${uri}`), 'data')
  explain(context, 'Adding keys on cache ...')
  const entries = isExactObject(found) ? getEntries(found) : []
  for (const [name, text] of entries) context.data.cache = context.data.cache.with(name, String(text))
  explain(context, 'Marking cache as populated')
  context.data.cache = context.data.cache.with(filled, 'true')
}

function ask(
  wanted: { readonly path: string; readonly list?: string | boolean },
  options: Hash,
  { host }: Pick<CallContext, 'host'>,
  about: string,
): ExactJson {
  const address = pickTexts(options, ['region'])['region'] ?? ''
  const answer = askSecret(host, { store: 'aws-parameters', address, ...wanted, credentials: {} })
  const refused = getMember(answer, 'refused')
  if (typeof refused === 'string') return throwArgumentError(refused)
  const why = getMember(answer, 'errors') ?? getMember(answer, 'failure')
  return why === undefined ? answer : failWithoutLocation(hieraAwsIssues.SSM_FAILED, { about, why: String(why) })
}
