import { createDiagnostic } from '../../../base/issue.ts'
import { getMember } from '../../../base/json/exact-json.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { Sensitive } from '../../../language/values/sensitive.ts'
import type { Value } from '../../../language/values/value.ts'
import type { LookupContext } from '../lookup-context.ts'
import { askSecret } from '../secrets/ask-secret.ts'
import { explain, listSecretNames, type NamedBackend } from '../secrets/secret-names.ts'
import { createAzureQuestion } from './azure-question.ts'
import { azureIssues } from './issues.ts'

const backend: NamedBackend = {
  ...{ name: 'azure_key_vault', invalid: /[^0-9a-zA-Z-]/gu, patternIssue: azureIssues.AZURE_PATTERN },
}

/**
 * The function `azure_key_vault::lookup` for `lookup_key:`, with the options, results and messages of the module
 * `azure_key_vault`. The server reads from Azure; the module's own function, which needs a network, is not used.
 */
export const azureKeyVaultLookup = defineFunction('azure_key_vault::lookup', 'Looks up a key in Azure Key Vault.', {
  [`Variant[String, Numeric] $secret_name, Struct[{
      vault_name => String,
      vault_api_version => String,
      Optional[metadata_api_version] => String,
      Optional[cloud_type] => Enum["AzureCloud", "AzureUSGovernment", "AzureChinaCloud"],
      confine_to_keys => Array[String],
      Optional[strip_from_keys] => Array[String],
      Optional[key_replacement_token] => String,
      Optional[service_principal_credentials] => String,
      Optional[use_azure_arc_authentication] => Boolean,
      Optional[prefixes] => Array[String],
    }] $options, Puppet::LookupContext $context >> Variant[Sensitive, Undef]`]: (
    given: Value,
    options: Hash,
    context: LookupContext,
  ) => {
    const names = listSecretNames(String(given), options, context, backend)
    if (!options.has('prefixes')) explain(context, `Using normalized KeyVault secret key for lookup: ${names[0]}`)
    checkCredentials(options)
    for (const name of names) {
      const text = findSecret(name, options, context)
      if (text === 'rejected') break
      if (text) return text
    }
    return context.notFound()
  },
})

function checkCredentials(options: Hash): void {
  const given = ['metadata_api_version', 'service_principal_credentials'].filter((name) => options.has(name))
  if (given.length === 2)
    throwArgumentError('metadata_api_version and service_principal_credentials cannot be used together')
  if (given.length === 0)
    throwArgumentError('must configure at least one of metadata_api_version or service_principal_credentials')
}

/** Returns a secret; `undefined` if it is missing; `rejected` with a warning if it may not be read. */
function findSecret(name: string, options: Hash, context: LookupContext): Sensitive | 'rejected' | undefined {
  const { host } = context.invocation.context
  const answer = askSecret(host, createAzureQuestion(String(options.get('vault_name')), name, options))
  const failure = getMember(answer, 'refused') ?? getMember(answer, 'failure')
  if (failure !== undefined) return throwArgumentError(String(failure))
  const rejection = getMember(answer, 'errors')
  if (rejection !== undefined) {
    host.warn(createDiagnostic(azureIssues.AZURE_FAILED, { why: String(rejection) }, undefined, 'warning'))
    return 'rejected'
  }
  const text = getMember(getMember(answer, 'data'), 'text')
  return typeof text === 'string' ? new Sensitive(text) : undefined
}
