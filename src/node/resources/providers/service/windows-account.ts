import type { ProviderServices } from '../../provider.ts'

/**
 * An account for the logon of a service, in the notation of the Service Control Manager: `LocalSystem`, `.\name` for an
 * account of this machine, otherwise `DOMAIN\name`.
 */
export function normalizeLogonAccount(account: string, facts: ProviderServices['facts']): string {
  const computer = String(facts['hostname'] ?? '')
  const [, domain, name = ''] = /^(?:(.*)\\)?(.*)$/s.exec(account) ?? []
  const isLocal = domain === undefined || domain === '.' || domain.toLowerCase() === computer.toLowerCase()
  if (!isLocal) return account
  return name.toLowerCase() === 'localsystem' ? 'LocalSystem' : `.\\${name}`
}

/** True if two names are the same account. Windows writes its own accounts with and without spaces. */
export function isSameAccount(one: string, other: unknown): boolean {
  const key = (account: unknown) => String(account).toLowerCase().replaceAll(' ', '')
  return key(one) === key(other)
}
