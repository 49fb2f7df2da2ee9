import { afterAll, describe, expect, it } from 'vitest'
import { openAuthorizationOracle } from '../oracle/authorization.js'
import { compareAuthorization } from '../oracle/compare-authorization.js'
import { without } from '../support/needs.ts'
import { seed } from '../support/nightly.ts'
import { cases, clients, confOf, rejected, rejectedHere } from './auth-cases.ts'
import { certificatesOf } from './auth-certificates.ts'

const lack = without('Puppet Server 7.9.5')

describe.skipIf(lack !== '')(`the rules of auth.conf beside Puppet Server's${lack}`, () => {
  const oracle = openAuthorizationOracle()
  afterAll(() => oracle.close())

  it('have the recorded verdicts', async () => {
    const certificates = await certificatesOf(clients)
    await oracle.setCertificates(certificates.map(([, pem]) => pem))
    for (const each of cases)
      for (const [word, expected] of Object.entries(each.verdicts)) {
        const certificate = certificates.findIndex(([known]) => known === word)
        const answer = await oracle.ask(confOf(each), [
          { method: 'get', url: each.at.replace('\u0085', '%C2%85'), certificate },
        ])
        const allowed = 'verdicts' in answer && answer.verdicts[0] === true
        expect([each, word, answer, allowed]).toEqual([each, word, answer, expected !== 'denied'])
      }
    for (const [conf] of rejected)
      expect([conf, await oracle.ask(conf, [])]).toEqual([conf, { error: expect.anything() }])
    for (const [conf] of rejectedHere) expect([conf, await oracle.ask(conf, [])]).toEqual([conf, { verdicts: [] }])
  })

  it(`are never laxer, whatever the file and the request (npm run authorization -- --seed ${seed})`, async () => {
    const { laxer, accepted, allowed } = await compareAuthorization({ seed, files: 2000, requests: 15_000 })
    expect({ laxer, accepted }).toEqual({ laxer: [], accepted: [] })
    expect(allowed).toBeGreaterThan(2000)
  })
})
