import { defineFunction } from '../../language/functions/definition/define-function.ts'
import type { Callable } from '../../language/values/callable.ts'
import type { Hash } from '../../language/values/hash.ts'
import { hieraAwsSecretsManager } from './aws/hiera-aws-sm.ts'
import { hieraSsmParameterStore } from './aws/hiera-ssm-paramstore.ts'
import { azureKeyVaultLookup } from './azure/azure-lookup.ts'
import { azureKeyVaultSecret } from './azure/azure-secret.ts'
import type { Backend } from './backend.ts'
import { backends } from './backends.ts'
import { missingPath } from './data-files.ts'
import { eyamlLookupKey } from './eyaml/eyaml-lookup-key.ts'
import { hieraGoogleSecretManager } from './google/hiera-google-sm.ts'
import type { LookupContext } from './lookup-context.ts'
import { sopsLookupKey } from './sops/sops-lookup-key.ts'
import { hieraVault } from './vault/hiera-vault.ts'

/** The built-in data functions. Hierarchy levels call them; a module's data function may call them, too. */
export const dataFunctions: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ...Array.from(backends, ([name, backend]) => [name, createDataHashFunction(backend)] as const),
  ...[
    ...[eyamlLookupKey, sopsLookupKey, hieraVault, hieraAwsSecretsManager, hieraSsmParameterStore],
    ...[azureKeyVaultLookup, azureKeyVaultSecret, hieraGoogleSecretManager],
  ].map((each) => [each.name, each] as const),
])

function createDataHashFunction(backend: Backend): Callable {
  return defineFunction(
    backend.name,
    backend.doc,
    {
      'Struct[{path => String[1]}] $options, Puppet::LookupContext $context': (options: Hash, context: LookupContext) =>
        context.readHash(backend, options.get('path') as string),
    },
    { mismatch: { 'Hash $options, Puppet::LookupContext $context': () => missingPath } },
  )
}
