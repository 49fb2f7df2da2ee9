import { describe, expect, it } from 'vitest'
import { type Client, createUnauthenticatedClient } from '../../../src/server/http/client.ts'
import { selectNodes } from '../../../src/server/orders/node-selection.ts'
import { limitRuns } from '../../../src/server/orders/run-rights.ts'

const nobody = createUnauthenticatedClient('192.0.2.1')
const withToken = (...scopes: string[]): Client => ({ ...nobody, token: { name: 'ci', scopes } })
const admin: Client = { ...nobody, certname: 'admin' }

describe('a request for runs', () => {
  it.each<[string, Client, object]>([
    ['a query with a token of both scopes', withToken('run', 'query'), { query: 'nodes[certname] {}' }],
    ['nodes with a token', withToken('run'), { nodes: ['a'], environment: null, query: null }],
    ['a query and an environment with a certificate', admin, { query: 'nodes[certname] {}', environment: 'topic' }],
  ])('may have %s', (_, client, request) => {
    expect(limitRuns({ ...request }, client).request).toEqual(request)
  })

  it.each<[string, Client, object, string]>([
    ['a query', withToken('run'), { query: 'nodes[certname] {}' }, "The token 'ci' needs the scope query besides run"],
    ['an environment', withToken('run', 'query'), { environment: 'topic' }, 'Only a client certificate may choose'],
    ['an environment', nobody, { environment: 'topic' }, 'Only a client certificate may choose'],
    [
      'an environment, beside the certificate of a node,',
      { ...withToken('run'), certname: 'web1' },
      { environment: 'topic' },
      'Only a client certificate may choose',
    ],
  ])('is refused for %s without the right to it', (_, client, request, why) => {
    expect(() => limitRuns({ ...request }, client)).toThrow(
      expect.objectContaining({ status: 403, body: expect.stringContaining(why) }),
    )
  })

  it('with a token leaves the environment to the nodes of a wave', () => {
    const request = { wave: 'canary', environment: 'staging' }
    expect(limitRuns(request, withToken('run'))).toEqual({ request, keepsEnvironment: true })
    expect(limitRuns(request, admin)).toEqual({ request, keepsEnvironment: false })
  })

  it('ends a query that returns rows without end', async () => {
    let count = 0
    async function* pieces() {
      yield '['
      for (; count < 1_000_000; count++) yield `${count > 0 ? ',' : ''}{"certname":"web${count % 10}"}`
      yield ']'
    }
    const store = { ask: async () => ({ status: 200 as const, total: undefined, pieces: pieces() }) }
    const selection = { nodes: ['a'], query: 'resources[certname] {}', wave: undefined, environment: undefined }
    const selected = selectNodes(selection, { store, listWaveNodes: async () => [] })
    await expect(selected).rejects.toThrow('The query of nodes failed: it returned more than 200000 rows')
    expect(count).toBeLessThan(300_000)
  })
})
