import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import { isTruthy, type Value } from '../../../language/values/value.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import { matchesWholeKey, readPatterns, uniteRegexps } from '../key-patterns.ts'
import type { LookupContext } from '../lookup-context.ts'
import { askSecret, pickTexts } from '../secrets/ask-secret.ts'
import { hieraAwsIssues } from './issues.ts'

const backend = 'hiera-aws-sm'

/** Options of a level with keys of AWS. */
export const awsKeyOptions = ['aws_access_key', 'aws_secret_key'] as const

/**
 * The function `hiera_aws_sm` for `lookup_key:`, with the options, results and messages of the module `hiera_aws_sm`.
 * The server reads from AWS; the module's own function, which needs gems and a network, is not used.
 */
export const hieraAwsSecretsManager = defineFunction('hiera_aws_sm', 'Looks up a key in AWS Secrets Manager.', {
  'Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context': (
    given: Value,
    options: Hash,
    context: LookupContext,
  ) => {
    const key = String(given)
    const confined = readPatterns(options, 'confine_to_keys', backend, hieraAwsIssues.AWS_PATTERN)
    if (confined && !matchesWholeKey(uniteRegexps(confined), key)) {
      explain(context, `Skipping secrets manager as ${key} doesn't match confine_to_keys`)
      return context.notFound()
    }
    for (const name of listNames(key, options)) {
      const value = findSecret(name, options, context)
      if (value !== undefined) return value
    }
    return isTruthy(options.get('continue_if_not_found')) ? context.notFound() : undefined
  },
})

/** Returns the names of secrets for a key: the key itself, or the key after each prefix. */
function listNames(key: string, options: Hash): readonly string[] {
  const prefixes = options.get('prefixes')
  if (prefixes === undefined || prefixes === false) return [key]
  if (!Array.isArray(prefixes)) return throwArgumentError(`[${backend}] prefixes must be an array`)
  const delimiter = options.get('delimiter') ?? '/'
  if (typeof delimiter !== 'string') return throwArgumentError(`[${backend}] delimiter must be a String`)
  return prefixes.map((each) => {
    const prefix = String(each)
    return [prefix.at(-1) === delimiter ? prefix.slice(0, -1) : prefix, key].join(delimiter)
  })
}

function findSecret(name: string, options: Hash, context: LookupContext): Value {
  explain(context, `Looking up ${name}`)
  const answer = ask(name, options, context)
  if (getMember(answer, 'absent') === true) {
    explain(context, `No data found for ${name}`)
    return undefined
  }
  const data = getMember(answer, 'data')
  const bytes = getMember(data, 'base64')
  if (typeof bytes === 'string') {
    explain(context, `${name} is a binary`)
    return decodeLosslessUtf8(Buffer.from(bytes, 'base64'))
  }
  const text = String(getMember(data, 'text') ?? '')
  try {
    return convertJsonToValue(parseJson(text))
  } catch {
    explain(context, 'Not a hashable result')
    return text
  }
}

function ask(name: string, options: Hash, context: LookupContext): ExactJson {
  const answer = askSecret(context.invocation.context.host, {
    ...{ store: 'aws', address: pickTexts(options, ['region'])['region'] ?? '', path: name },
    credentials: pickTexts(options, awsKeyOptions),
  })
  const refused = getMember(answer, 'refused')
  if (typeof refused === 'string') return throwArgumentError(`[${backend}] ${refused}`)
  if (getMember(answer, 'kind') === 'UnrecognizedClientException')
    return failWithoutLocation(hieraAwsIssues.AWS_NO_PERMISSION, { key: name })
  const why = getMember(answer, 'errors') ?? getMember(answer, 'failure')
  return why === undefined ? answer : failWithoutLocation(hieraAwsIssues.AWS_FAILED, { key: name, why: String(why) })
}

function explain(context: LookupContext, text: string): void {
  context.invocation.explainer?.say(`[${backend}] ${text}`)
}
