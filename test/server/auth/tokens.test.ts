import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { readPresentedToken } from '../../../src/server/auth/presented-token.ts'
import {
  addToken,
  getTokenPaths,
  readTokens,
  readTokenUses,
  removeTokens,
} from '../../../src/server/auth/token-file.ts'
import { TokenGate } from '../../../src/server/auth/token-gate.ts'
import { TokenRegistry } from '../../../src/server/auth/token-registry.ts'
import { createToken } from '../../../src/server/auth/token-text.ts'
import { createUnauthenticatedClient } from '../../../src/server/http/client.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const { files } = localSystem
const noon = Date.parse('2026-11-28T12:00:00.000Z')

/** Tokens in a folder of their own, what is said about them, and a clock that stands. */
function newTokens() {
  const paths = getTokenPaths({ token_file: join(scratchFolder('tokens'), 'new/tokens.json') })
  const clock = { now: noon }
  const [troubles, refused]: [string[], string[]] = [[], []]
  const known = new TokenRegistry({
    paths,
    files,
    now: () => clock.now,
    onTrouble: (message) => troubles.push(message),
    onRefused: (message) => refused.push(message),
  })
  const add = (name: string, expires?: string) =>
    addToken(paths.tokens, { name, description: '', scopes: ['query'], expires }, files, noon)
  return { paths, clock, troubles, refused, known, add }
}

describe('the tokens of a server', () => {
  it('are known by their secrets until their last millisecond', async () => {
    const { clock, known, refused, add } = newTokens()
    const [token, short] = [await add('jane'), await add('short', new Date(noon + 1000).toISOString())]
    expect(await known.verify(token)).toEqual({ name: 'jane', scopes: ['query'] })
    clock.now = noon + 999
    expect(await known.verify(short)).toEqual({ name: 'short', scopes: ['query'] })
    clock.now = noon + 1000
    expect(await known.verify(short)).toBeUndefined()
    const { text: unknown, id } = createToken()
    expect(await known.verify(unknown)).toBeUndefined()
    expect(await known.verify(`${token.slice(0, -8)}00000000`)).toBeUndefined()
    expect(await known.verify('jane')).toBeUndefined()
    expect(refused).toEqual([
      "Rejected a token: 'short' expired on 2026-11-28T12:00:01.000Z",
      `Rejected a token: no token with ID ${id} matches it`,
      `Rejected a token: no token with ID ${token.split('_')[1]} matches it`,
      'Rejected a token: its format is invalid',
    ])
  })

  it('are read again when their file has changed, and the same trouble is told once', async () => {
    const { paths, known, troubles, add } = newTokens()
    const token = await add('jane')
    const good = readFileSync(paths.tokens)
    const said = `Could not read the tokens in ${paths.tokens}: `
    expect(await known.verify(token)).toBeDefined()
    for (let round = 1; round <= 2; round++) {
      writeFileSync(paths.tokens, '{"version":2}')
      for (let asked = 0; asked < 2; asked++) expect(await known.verify(token)).toBeUndefined()
      expect(troubles).toEqual(Array.from({ length: round }, () => `${said}version 2 is not supported`))
      writeFileSync(paths.tokens, good)
      expect(await known.verify(token)).toBeDefined()
    }
    rmSync(paths.tokens)
    expect(await known.verify(token)).toBeUndefined()
    expect(troubles).toHaveLength(2)
  })

  it('keep when each was last used, of those that there are', async () => {
    const { paths, clock, known, add } = newTokens()
    await known.close()
    expect(await files.readText(paths.uses)).toBeUndefined()
    const [jane, joan] = [await add('jane'), await add('joan')]
    const id = jane.split('_')[1]!
    for (const token of [jane, joan]) await known.verify(token)
    await removeTokens(paths.tokens, ['joan'], files)
    clock.now = noon + 5000
    await known.verify(jane)
    await known.close()
    expect(JSON.parse(readFileSync(paths.uses, 'utf8'))).toEqual({ [id]: '2026-11-28T12:00:05.000Z' })
    writeFileSync(paths.uses, JSON.stringify({ [id]: '2026-11-28T11:00:00.000Z', [joan.split('_')[1]!]: 7 }))
    expect(await readTokenUses(paths.uses, files)).toEqual(new Map([[id, noon - 3_600_000]]))
    writeFileSync(paths.uses, '{')
    expect(await readTokenUses(paths.uses, files)).toEqual(new Map())
  })

  it('stay as they are where they cannot be written beside', async () => {
    const { paths, known, troubles, add } = newTokens()
    const token = await add('jane')
    await known.verify(token)
    mkdirSync(paths.uses)
    await known.close()
    expect(troubles).toEqual([expect.stringMatching(/^Could not record the last uses of tokens: /)])
    expect(await known.verify(token)).toBeDefined()
  })
})

describe('the file of tokens', () => {
  const good = {
    id: '0123456789abcdef',
    name: 'jane',
    scopes: ['query'],
    created: '2026-11-28T12:00:00.000Z',
    salt: '0'.repeat(32),
    digest: '0'.repeat(64),
  }
  it.each<[object, string]>([
    [{ id: 'x' }, 'id of token 2 is invalid'],
    [{ name: 'Jane' }, 'name of token 2 is invalid'],
    [{ name: 'j'.repeat(64) }, 'name of token 2 is invalid'],
    [{ created: '2026-11-28' }, 'created of token 2 is invalid'],
    [{ expires: 'soon' }, 'expires of token 2 is invalid'],
    [{ salt: '0' }, 'salt of token 2 is invalid'],
    [{ digest: '0' }, 'digest of token 2 is invalid'],
    [{ scopes: 'query' }, 'scopes must be an array'],
  ])('with %j is refused', async (change, reason) => {
    const { paths, add } = newTokens()
    await add('first')
    writeFileSync(paths.tokens, JSON.stringify({ version: 1, tokens: [good, { ...good, ...change }] }))
    await expect(readTokens(paths.tokens, files)).rejects.toThrow(
      `Could not read the tokens in ${paths.tokens}: ${reason}`,
    )
  })

  it('with a token that is no object is refused', async () => {
    const { paths, add } = newTokens()
    await add('first')
    writeFileSync(paths.tokens, JSON.stringify({ version: 1, tokens: [good, 'jane'] }))
    await expect(readTokens(paths.tokens, files)).rejects.toThrow('token 2 must be an object')
  })

  it('keeps one of a name, as many as its bound, and the others when one is removed', async () => {
    const { paths, add } = newTokens()
    expect(await readTokens(paths.tokens, files)).toEqual([])
    await add('jane')
    await expect(add('jane')).rejects.toThrow("A token named 'jane' already exists")
    const { bound } = budgets.token.kept
    const tokens = Array.from({ length: bound - 1 }, (_, at) => ({ ...good, name: `t${at}` }))
    writeFileSync(paths.tokens, JSON.stringify({ version: 1, tokens }))
    await add('last')
    await expect(add('more')).rejects.toThrow(`The limit of ${bound} tokens is reached`)
    expect(await removeTokens(paths.tokens, ['t0', 'nosuch', 'last'], files)).toEqual(['t0', 'last'])
    expect((await readTokens(paths.tokens, files)).map(({ name }) => name)).toEqual(
      tokens.slice(1).map(({ name }) => name),
    )
  })
})

describe('the gate', () => {
  const letIn = new Set(['good', 'other'])
  const gate = () => {
    const clock = { now: noon }
    const verifier = {
      verify: (token: string) => Promise.resolve(letIn.has(token) ? { name: token, scopes: [] } : undefined),
    }
    return { clock, gate: new TokenGate(verifier, () => clock.now) }
  }
  const [client, neighbour] = [createUnauthenticatedClient('10.0.0.1'), createUnauthenticatedClient('10.9.0.1')]
  const headers = (...tokens: string[]) => ({ 'x-authentication': tokens })

  it('lets a client without a token go on as it came', async () => {
    expect(await gate().gate.identify(client, {})).toBe(client)
    expect(await gate().gate.identify(client, headers('good'))).toEqual({
      ...client,
      token: { name: 'good', scopes: [] },
    })
    expect(await gate().gate.identify(client, headers('bad'))).toEqual({
      ...client,
      refusedToken: 'the token is unknown or has expired',
    })
    expect(await gate().gate.identify(client, headers('good', 'good'))).toEqual({
      ...client,
      refusedToken: 'the token is rejected: the request contains more than one',
    })
  })

  it('beyond the bound lets in only who was let in before, for a minute since the first wrong token', async () => {
    const { clock, gate: door } = gate()
    await door.identify(client, headers('good'))
    for (let at = 0; at < budgets.token.guesses.bound; at++) {
      clock.now = noon + at
      expect(await door.identify(client, headers('bad'))).toHaveProperty('refusedToken')
    }
    const tooMany = { status: 429, headers: { 'Retry-After': '60' } }
    await expect(door.identify(client, headers('bad'))).rejects.toMatchObject(tooMany)
    await expect(door.identify(client, headers('other'))).rejects.toMatchObject(tooMany)
    expect(await door.identify(client, headers('good'))).toHaveProperty('token')
    expect(await door.identify(neighbour, headers('other'))).toHaveProperty('token')
    expect(await door.identify({ ...client, certname: 'a.test' }, headers('other'))).toMatchObject({
      refusedToken: 'too many invalid tokens came from this address',
    })
    clock.now = noon + 60_001
    expect(await door.identify(client, headers('other'))).toHaveProperty('token')
  })
})

describe('the token of a request', () => {
  const longest = 'x'.repeat(budgets.token.characters.bound)
  it.each([
    [{}, undefined],
    [{ authorization: ['Basic eDp5'] }, undefined],
    [{ authorization: ['Bearerx'] }, undefined],
    [{ authorization: ['Bearer'] }, { refused: 'it is empty' }],
    [{ authorization: ['bearer  t '] }, { token: 't' }],
    [{ 'x-authentication': ['t'] }, { token: 't' }],
    [{ 'x-authentication': ['t'], authorization: ['Bearer t'] }, { refused: 'the request contains more than one' }],
    [{ 'x-authentication': [longest] }, { token: longest }],
    [{ 'x-authentication': [`${longest}x`] }, { refused: 'it is too long' }],
  ])('in %j', (headers, expected) => expect(readPresentedToken(headers)).toEqual(expected))
})
