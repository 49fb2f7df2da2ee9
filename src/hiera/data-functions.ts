import { failVerbatim } from '../language/evaluator/evaluation-error.ts'
import { defineFunction } from '../language/functions/define-function.ts'
import type { CallContext } from '../language/host.ts'
import type { Callable } from '../language/values/callable.ts'
import type { Hash } from '../language/values/hash.ts'
import type { Backend } from './backend.ts'
import { backends } from './backends.ts'
import { hieraIssues } from './issues.ts'
import type { LookupContext } from './lookup-context.ts'

/** The backends as functions, for data functions of modules that call them: `yaml_data($options, $context)`. */
export const dataFunctions: ReadonlyMap<string, Callable> = new Map(
  Array.from(backends, ([name, backend]) => [name, dataFunction(backend)]),
)

function dataFunction(backend: Backend): Callable {
  const read = (options: Hash, { data }: LookupContext, { host, span }: CallContext) => {
    const path = options.get('path') as string
    const known = data.files.get(path)
    if (known !== undefined) return known
    const text = data.abilities.readText(path)
    if (text === undefined) return failVerbatim(hieraIssues.LOOKUP_MISSING_FILE, { path })
    const value = backend.read(text, path, (message) =>
      host.warn({ code: 'LOOKUP_NO_HASH', severity: 'warning', message, span, hint: undefined }),
    )
    data.files.set(path, value)
    return value
  }
  const missing = () =>
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function"
  return defineFunction(
    backend.name,
    backend.doc,
    { 'Struct[{path => String[1]}] $options, Puppet::LookupContext $context': read },
    { mismatch: { 'Hash $options, Puppet::LookupContext $context': missing } },
  )
}
