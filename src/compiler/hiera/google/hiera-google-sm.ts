import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { Sensitive } from '../../../language/values/sensitive.ts'
import type { Value } from '../../../language/values/value.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import type { LookupContext } from '../lookup-context.ts'
import { askSecret, findAskingFailure, findSecretBytes, pickTexts } from '../secrets/ask-secret.ts'
import { explain, listSecretNames, type NamedBackend } from '../secrets/secret-names.ts'
import { hieraGoogleIssues } from './issues.ts'

const backend: NamedBackend = {
  ...{ name: 'hiera_google_sm', invalid: /[^0-9a-zA-Z_-]/gu, patternIssue: hieraGoogleIssues.GOOGLE_PATTERN },
}

/** The function `hiera_google_sm` for `lookup_key:`: secrets in Google Secret Manager, as Sensitive. */
export const hieraGoogleSecretManager = defineFunction('hiera_google_sm', 'Looks up a key in Google Secret Manager.', {
  'Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context': (
    given: Value,
    options: Hash,
    context: LookupContext,
  ) => {
    for (const name of listSecretNames(String(given), options, context, backend)) {
      explain(context, `Looking up ${name}`)
      const found = readSecret(name, options, context)
      if (found) return found
    }
    return context.notFound()
  },
})

function readSecret(name: string, options: Hash, context: LookupContext): Sensitive | undefined {
  const { project } = pickTexts(options, ['project'])
  if (project === undefined) return failWithoutLocation(hieraGoogleIssues.GOOGLE_PROJECT, {})
  const credentials = pickTexts(options, ['credentials_file'])
  const { host } = context.invocation.context
  const answer = askSecret(host, { store: 'google', address: project, path: name, credentials })
  const why = findAskingFailure(answer)
  if (why !== undefined) return failWithoutLocation(hieraGoogleIssues.GOOGLE_FAILED, { name, why })
  const bytes = findSecretBytes(answer)
  return bytes && new Sensitive(decodeLosslessUtf8(bytes))
}
