import { describe, expect, it } from 'vitest'
import type { CallContext } from '../../../src/language/host.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { Sensitive } from '../../../src/language/values/sensitive.ts'
import type { Value } from '../../../src/language/values/value.ts'
import {
  createVaultLookup,
  createVaultSender,
  type SendToVault,
  type VaultLookupRequest,
} from '../../../src/ruby/node/vault-lookup.ts'

const context = {} as CallContext

/** Looks up with responses by the method of the request, and returns the secret and the requests. */
function lookUp(
  responses: Readonly<Record<string, string>>,
  given: Readonly<Record<string, Value>> = {},
  status = 200,
) {
  const requests: VaultLookupRequest[] = []
  const send: SendToVault = (request) => {
    requests.push(request)
    return { status, text: responses[request.method] ?? '' }
  }
  const options = Hash.from({ vault_addr: 'https://vault.test', ...given })
  const secret = createVaultLookup(send, {}).call(context, ['secret/a', options])
  return { secret: (secret as Sensitive).unwrap(), requests }
}

const token = '{"auth":{"client_token":"t"}}'

describe('the response to a login', () => {
  it.each([
    ['{"auth":null}', 'Unable to parse client_token from vault response'],
    ['{"auth":{"client_token":["t"]}}', 'Unable to parse client_token from vault response'],
    ['[]', 'Unable to parse client_token from vault response'],
    ['', 'Unable to parse client_token from vault response'],
    [`${'['.repeat(100_000)}`, 'Unable to parse client_token from vault response'],
    ['{"auth":{}}', 'No client_token found'],
  ])('without a token is rejected: %.40s', (POST, message) => {
    expect(() => lookUp({ POST })).toThrow(message)
  })
})

describe('the response with a secret', () => {
  it.each<[string, string | undefined, Value]>([
    ['{"data":{"a":null}}', 'a', undefined],
    ['{"data":{"data":{"a":"x"},"metadata":{}}}', 'a', 'x'],
    ['{"data":{"data":null}}', undefined, undefined],
    ['{"data":{"a":12345678901234567890}}', 'a', 12345678901234567890n],
    ['{"data":{"__proto__":"p"}}', '__proto__', 'p'],
    ['{"data":{"a":"x"}}', '__proto__', undefined],
  ])('has fields: %s', (GET, field, value) => {
    expect(lookUp({ POST: token, GET }, field === undefined ? {} : { field }).secret).toEqual(value)
  })

  it.each([
    '{"data":null}',
    '{"data":[]}',
    '{}',
    '"data"',
    '{"data":{"data":null}}',
    '{"data":{"data":[1]}}',
    '<html>',
  ])('is rejected without a field: %s', (GET) => {
    expect(() => lookUp({ POST: token, GET }, { field: 'a' })).toThrow(
      'Error parsing json secret data from vault response',
    )
  })
})

describe('a request', () => {
  it('contains the credentials of the address, which no message contains', () => {
    const address = { vault_addr: 'https://user:hush@vault.test/base/' }
    const { requests } = lookUp({ POST: token, GET: '{"data":{}}' }, address)
    const authorization = `Basic ${Buffer.from('user:hush').toString('base64')}`
    expect(requests).toEqual([
      {
        ...{ method: 'POST', url: 'https://vault.test/base/v1/auth/cert/login', body: '' },
        headers: { 'content-type': 'application/json', authorization },
      },
      { method: 'GET', url: 'https://vault.test/v1/secret/a', headers: { 'x-vault-token': 't', authorization } },
    ])
    expect(() => lookUp({}, address, 500)).toThrow(/^Received 500 .* at https:\/\/vault\.test\/base\/v1/)
  })

  it('has an error without control characters of the server', () => {
    const POST = JSON.stringify({ errors: 'a\u001b[31m\nb', warnings: false })
    expect(() => lookUp({ POST }, {}, 403)).toThrow(/for authentication \(api errors: a\\x1b\[31m\\x0ab\)$/)
  })

  it('is sent again after a failure, but not after a success', () => {
    let count = 0
    const lookup = createVaultLookup(() => ({ status: count++ === 0 ? 503 : 200, text: '{"data":{"a":"x"}}' }), {
      VAULT_ADDR: 'https://vault.test',
      VAULT_AUTH_METHOD: 'agent',
    })
    expect(() => lookup.call(context, ['a'])).toThrow('Received 503')
    expect(lookup.call(context, ['a'])).toBeInstanceOf(Sensitive)
    expect(lookup.call(context, ['a'])).toBeInstanceOf(Sensitive)
    expect(count).toBe(2)
  })

  it('is not sent without a script', () => {
    const request = { method: 'GET', url: 'https://vault.test', headers: {} } as const
    expect(() => createVaultSender(undefined, {})(request)).toThrow('Vault cannot be reached here')
  })
})
