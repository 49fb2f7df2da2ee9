import { budgets } from '../../../base/budgets/budgets.ts'
import { BytePatterns } from '../../../base/bytes/byte-patterns.ts'
import type { KnownSecret } from './known-secrets.ts'
import { listSecretForms } from './secret-forms.ts'

/** A form of a secret that a file contains. */
export interface SecretMatch {
  readonly secret: KnownSecret
  /** The name of the form. */
  readonly form: string
}

/** All forms of all secrets. */
export interface SecretPatterns {
  readonly patterns: BytePatterns
  /** For each pattern, the secrets that it represents. */
  readonly matches: readonly (readonly SecretMatch[])[]
  /** Number of secrets that exceed the limit and have no patterns. */
  readonly omitted: number
}

/** Compiles the forms of secrets, the shortest first, up to `budgets.machine.secretPatterns` bytes. */
export function compileSecretPatterns(secrets: readonly KnownSecret[]): SecretPatterns {
  const byText = new Map<string, SecretMatch[]>()
  const sorted = [...secrets].sort((a, b) => a.value.length - b.value.length)
  let left: number = budgets.machine.secretPatterns.bound
  let omitted = 0
  for (const secret of sorted) {
    if (secret.value.length > left) {
      omitted++
      continue
    }
    for (const { name, bytes } of listSecretForms(secret.value)) {
      const text = bytes.toString('latin1')
      const known = byText.get(text)
      if (known) known.push({ secret, form: name })
      else byText.set(text, [{ secret, form: name }])
      if (!known) left -= bytes.length
    }
  }
  return {
    patterns: new BytePatterns(Array.from(byText.keys(), (text) => Buffer.from(text, 'latin1'))),
    matches: [...byText.values()],
    omitted,
  }
}
