import { expect, it } from 'vitest'
import { without } from '../../../support/needs.ts'
import { realPql } from './oracle.js'
import { canonical, outcome } from './outcomes.ts'
import { pqlQueries } from './queries.js'
import { randomPql } from './random.js'

const missing = without('PuppetDB 7.12')

it.skipIf(missing)(`PQL is read as a real PuppetDB reads it now${missing}`, () => {
  const seed = process.env['CI_NIGHTLY'] === '1' ? Date.now() % 1_000_000 : 1
  const texts = [...pqlQueries, ...randomPql(seed, 3000)]
  expect(texts.map(outcome), `random texts of seed ${seed}`).toEqual(realPql(texts).map(canonical))
})
