import { throwIssue } from '../../../base/issue.ts'
import { getMember } from '../../../base/json/exact-json.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import type { CallContext } from '../../../language/host.ts'
import { throwArgumentError } from '../../../language/ruby-semantics/argument-error.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { Sensitive } from '../../../language/values/sensitive.ts'
import { askSecret, findAskingFailure } from '../secrets/ask-secret.ts'
import { createAzureQuestion } from './azure-question.ts'
import { azureIssues } from './issues.ts'

/** The function `azure_key_vault::secret` of the module `azure_key_vault`. */
export const azureKeyVaultSecret = defineFunction(
  'azure_key_vault::secret',
  'Returns a secret of Azure Key Vault, as Sensitive.',
  {
    [`String $vault_name, String $secret_name, Struct[{
      vault_api_version => String,
      Optional[metadata_api_version] => String,
      Optional[cloud_type] => Enum["AzureCloud", "AzureUSGovernment", "AzureChinaCloud"],
      Optional[service_principal_credentials] => Struct[{
        tenant_id => String,
        client_id => String,
        client_secret => String
      }],
      Optional[use_azure_arc_authentication] => Boolean
    }] $api_endpoint_hash, String $secret_version? >> Sensitive[String]`]: (
      vault: string,
      name: string,
      options: Hash,
      version: string | undefined,
      { host }: CallContext,
    ) => {
      checkCredentials(options)
      const path = version === undefined || version === '' ? name : `${name}/${version}`
      const answer = askSecret(host, createAzureQuestion(vault, path, options))
      const failure = findAskingFailure(answer)
      if (failure !== undefined) return throwArgumentError(failure)
      const text = getMember(getMember(answer, 'data'), 'text')
      return typeof text === 'string' ? new Sensitive(text) : throwIssue(azureIssues.AZURE_MISSING, { name, vault })
    },
  },
)

function checkCredentials(options: Hash): void {
  const [machine, principal] = ['metadata_api_version', 'service_principal_credentials'].map((name) =>
    options.has(name),
  )
  const isArc = options.get('use_azure_arc_authentication') === true
  if (!machine && !principal)
    throwArgumentError('hash must contain at least one of metadata_api_version or service_principal_credentials.')
  if (machine && principal)
    throwArgumentError('metadata_api_version and service_principal_credentials cannot be used together.')
  if (principal && isArc)
    throwArgumentError('service_principal_credentials and use_azure_arc_authentication cannot be used together.')
}
